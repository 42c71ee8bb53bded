"""Passes over checks: where they are made, and what happens when one fails."""
