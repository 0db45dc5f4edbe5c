"""Local search on histories of any size: how close it comes to known optima, and how its time grows."""
