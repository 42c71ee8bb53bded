"""The program of a trace and what it is made of: values, types, locations, the builder."""
