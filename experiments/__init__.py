"""The paper's three experiments, repeated and extended; they can be stopped and resumed at any time.

M. Goerigk, M. Hartisch and S. Merten, *Towards robust interpretable surrogates for optimization*, Annals of Operations
Research (2026), https://doi.org/10.1007/s10479-026-07101-4.
"""

__all__ = ["SCALES", "ExperimentProgress", "Outcome", "Plan", "run_experiment"]

from experiments.driver import ExperimentProgress, Outcome, run_experiment
from experiments.plan import SCALES, Plan
