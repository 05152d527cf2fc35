"""The staff of an event: certificates for their tablets, one-time codes, passes, and what each role may do."""
