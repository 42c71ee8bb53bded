"""Python values known only at run time:

lists, text, iterables, alternatives, and their abstract values.
"""
