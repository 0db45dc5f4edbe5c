"""Everything that people read, put into words."""
