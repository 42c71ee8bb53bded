"""Rewriting of syntax, one file a construct."""
