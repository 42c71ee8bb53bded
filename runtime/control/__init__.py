"""Control flow by functions: cond, while_loop, scan and their like."""
