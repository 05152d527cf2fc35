"""A second opinion on Battle of the Ring."""
