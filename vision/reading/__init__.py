"""The networks: where cards lie (finder), their corners and side (corners), and which card it is (identifier)."""
