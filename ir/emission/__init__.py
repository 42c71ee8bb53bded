"""The vocabulary of emission: what rules, control flow and values record with."""
