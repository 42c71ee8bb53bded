"""What programs do besides computing: print, assert, call Python."""
