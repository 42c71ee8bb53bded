"""The command line: ``agir-dump``, ``python -m agir.tools.dump_ir`` or ``tools/dump_ir.py``."""
