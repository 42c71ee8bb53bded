"""Functions of Python's library that are written in C, in Python that can be converted.

What they are given may be known only at run time: the caller converts them as it does a function of
the user's.  They know nothing of tensors.  `table.TWINS` says which stands for which.
"""
