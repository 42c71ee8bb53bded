"""Functions under TensorFlow's names, composed of operations of the table."""
