"""Alternate (H_alt in the paper): best solutions for the tree, best tree for the solutions, until both agree."""

__all__ = ["alternate", "alternate_kernels"]

import numpy as np

from hedgerow.instance import Instance
from hedgerow.methods.fix_solutions import fix_solutions_kernels
from hedgerow.methods.fix_tree import fix_tree_kernels
from hedgerow.methods.leaf_solver import LeafSolver
from hedgerow.methods.start import start
from hedgerow.run import Run, Settings
from hedgerow.structure import structure_of
from hedgerow.tolerances import VALUE


def alternate(instance: Instance, run: Run, settings: Settings) -> None:
    """From random structures: optimise solutions and structure in turn until neither helps, and begin anew."""
    # Imported here since compiled kernels are loaded only by those who use them.
    from hedgerow.methods.best_structure import best_structure

    splits = start(instance, run, settings)
    if splits is None:
        return
    leaves = LeafSolver(instance, settings, splits, run)
    while run.running:
        structure = leaves.space.draw(run.rng, 1)[0]
        value = np.inf
        while not run.must_stop():
            solved = leaves.solve(structure, run, value)
            if solved is None:
                break
            value = solved.value
            run.offer(solved.tree, value, "better solutions")
            below = value - VALUE * max(1.0, abs(value))
            found = best_structure(leaves.space, solved.slot_solutions, run, below)
            if found is None:
                break
            tree, value = found
            run.offer(tree, value, "better structure")
            structure = structure_of(tree, splits, instance.depth)
        run.count(1, "restarts")


def alternate_kernels(instance: Instance) -> None:
    """Load or compile what `alternate` needs for an instance of this kind."""
    fix_tree_kernels(instance)
    fix_solutions_kernels(instance)
