"""Functions of the user's as functions of the module, which call each other and themselves."""
