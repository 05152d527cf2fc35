"""The whole station on virtual time, and simulated boxes that play by themselves."""
