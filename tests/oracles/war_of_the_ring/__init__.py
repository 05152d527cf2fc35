"""A second opinion on battles of War of the Ring."""
