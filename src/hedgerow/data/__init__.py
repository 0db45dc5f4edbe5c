"""Tables and files: rows of numbers by column name, checked once; files written in one step."""
