"""Rules as a model of MLflow: a table of readings in, leaf and advice out. The file inside is the rule book's own JSON.

python docs/examples/mlflow_model.py rules.json
"""

import sys
from pathlib import Path

import mlflow
import pandas as pd

from hedgerow import RuleBook


class Rules(mlflow.pyfunc.PythonModel):
    """What MLflow loads and serves."""

    def load_context(self, context):
        self.rules = RuleBook.load(context.artifacts["rules"])

    def predict(self, model_input):
        return self.rules.advise(model_input)[["leaf", "advice"]]


def log_rules(path):
    """Log the rule book at this path in the active run, with this file as the model's code."""
    example = pd.DataFrame([dict.fromkeys(RuleBook.load(path).asked_names, 1.0)])
    return mlflow.pyfunc.log_model(
        name="rules", python_model=str(Path(__file__)), artifacts={"rules": str(path)}, input_example=example
    )


if __name__ == "__main__":
    print(log_rules(sys.argv[1]).model_uri)
else:
    mlflow.models.set_model(Rules())
