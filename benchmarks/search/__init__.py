"""Local search on histories of any size: how near known optima it comes, and how its time grows."""
