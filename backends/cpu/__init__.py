"""The CPU back end: passes, pipelines, the just-in-time engine and the calling convention."""
