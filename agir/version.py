"""The version of agir, where everything may look it up."""

__version__ = "0.1.0"
