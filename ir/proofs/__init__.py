"""What is known of the integers of a finished program, and which checks cannot fail."""
