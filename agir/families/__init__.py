"""The operations under TensorFlow's names that are no renamed rows of the table, a file a family."""
