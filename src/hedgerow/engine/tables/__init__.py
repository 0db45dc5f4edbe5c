"""Compiled kernels for a pool of solutions: leaf problems and searches as look-ups in the pool's table of losses.

Arrays in, arrays out: `loss[j, x]` is what solution x costs on sample j, `move_cost[j, k]` what it takes to move
sample j into slot k. A local budget is passed as move costs of 0 and ∞ with a limit of 0.
"""
