"""The adversary: what it costs to mislead a tree, and the worst that can be done to it."""

__all__ = ["Attack", "move_costs", "worst_case"]

from hedgerow.adversary.attack import Attack, worst_case
from hedgerow.adversary.move_cost import move_costs
