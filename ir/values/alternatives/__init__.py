"""Values that are one of several, or perhaps None, and text that is one of several."""
