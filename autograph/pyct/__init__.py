"""Syntax trees: parsing, analysis, templates, loading; nothing about constructs."""
