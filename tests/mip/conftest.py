"""The solvers that the tests of this folder run over."""

import pytest

from hedgerow.errors import SolverError
from hedgerow.mip import create_model


@pytest.fixture(params=["highs", "gurobi"])
def solver(request):
    """The name of an installed solver; one without a package or a valid licence is skipped."""
    try:
        create_model(request.param)
    except SolverError as error:
        pytest.skip(str(error))
    return request.param
