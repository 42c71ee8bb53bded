"""What a writer of random programs raises."""


class Rejected(Exception):
    """The expression or statement would be of no use here."""
