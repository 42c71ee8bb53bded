"""Passes that keep large programs compilable: equal or long parts become functions, once each."""
