"""Proven optima without misreadings."""
