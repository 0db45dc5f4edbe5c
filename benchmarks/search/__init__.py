"""Local search on histories of any size: how near known optima it comes, how its time grows, what thinning costs."""
