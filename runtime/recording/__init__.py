"""What tracing a function gives, and how it is got."""
