"""Adapters for models of other packages: one file per package, imported only when used."""
