"""The parts of `local_search`: compiled moves on one tree, the pool that they choose from, and what disturbs a tree.

Arrays in, arrays out: `loss[j, x]` is what solution x of the pool costs on sample j, `slot_loss[k, j]` what sample j
costs at slot k, `move_cost[k, j]` what it takes to send it there. Local budgets come as move costs of 0 and ∞ with a
limit of 0. A global budget is priced: at a *rate* per unit of move cost every sample can be looked at on its own.
"""
