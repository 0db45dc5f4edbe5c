"""The exact method against brute force on hundreds of tiny instances: the tables over all subsets of samples."""

from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.run import Settings
from tests.methods.exact.tiny import assert_exact, instances, with_leaf_limits


@settings(max_examples=300)
@given(instances())
def test_equals_the_reference(instance):
    """Shapes, ties, negative and constant values, limits, prices, weights, ε, features and both senses."""
    assert_exact(instance)
