"""The hall judges again what boxes send, in a process of its own: what comes may be hostile."""
