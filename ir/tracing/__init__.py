"""The trace of a function, and what it knows of the Python that runs meanwhile."""
