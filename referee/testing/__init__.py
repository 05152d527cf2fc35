"""A whole station on virtual time, for anybody's tests."""
