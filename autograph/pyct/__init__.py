"""Syntax trees: parsing, analysis, templates, unparsing, loading; nothing about constructs."""
