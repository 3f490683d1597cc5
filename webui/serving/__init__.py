"""How pages reach phones: server, connections, addresses, security, and the way to end."""
