"""Types that programs write down: of ufuncs, of signatures, of functions for C."""
