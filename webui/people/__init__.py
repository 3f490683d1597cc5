"""Who is at the table: phones, roles, seats, and what each may see."""
