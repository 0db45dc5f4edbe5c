"""Coverage counts the errors that lie in a set, and says how sure that makes us."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, InputError, LocalBudget, Nominal, Tree
from hedgerow.study.coverage import Coverage, coverage, effective_errors

OBSERVED = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0], [0.0, 0.0]])
TRUE = np.zeros((4, 2))


@pytest.mark.parametrize(
    ("uncertainty", "covered"),
    [
        (Nominal(), 1),
        (LocalBudget(0.0), 1),
        (LocalBudget(1.0), 2),
        (LocalBudget(2.0), 4),
        (LocalBudget(2.0, limits=1.0), 3),
        (LocalBudget(2.0, limits=[0.0, 2.0]), 2),
        (LocalBudget(2.0, prices=[0.5, 2.0]), 2),
        (LocalBudget([0.0, 2.0, 2.0, 0.0]), 3),
    ],
)
def test_an_error_counts_if_it_keeps_budget_and_limits(uncertainty, covered):
    found = coverage(uncertainty, OBSERVED, TRUE)
    assert (found.covered, found.total, found.batch) == (covered, 4, 1)


@pytest.mark.parametrize(
    ("budget", "n_samples", "covered", "total"), [(5.0, None, 1, 1), (4.9, None, 0, 1), (2.0, 2, 1, 2), (5.0, 3, 1, 1)]
)
def test_a_global_budget_is_judged_by_batches(budget, n_samples, covered, total):
    found = coverage(GlobalBudget(budget), OBSERVED, TRUE, n_samples=n_samples)
    assert (found.covered, found.total) == (covered, total)


def test_one_error_beyond_its_limit_takes_the_batch_out_of_the_set():
    assert coverage(GlobalBudget(9.0, limits=1.5), OBSERVED, TRUE, n_samples=2).covered == 1


def test_an_error_on_the_edge_lies_within():
    errors = np.array([[0.1, 0.2]])
    assert coverage(LocalBudget(0.3, limits=[0.1, 0.2]), errors, 0.0 * errors).covered == 1


def test_the_interval_is_that_of_clopper_and_pearson():
    errors = np.r_[np.zeros(8), np.ones(2)][:, None]
    found = coverage(LocalBudget(0.5), errors, 0.0 * errors)
    assert (found.low, found.high) == pytest.approx((0.4439, 0.9748), abs=1e-4)
    assert coverage(LocalBudget(1.0), errors, 0.0 * errors).high == 1.0
    assert coverage(LocalBudget(0.0), errors[8:], 0.0 * errors[8:]).low == 0.0


def test_the_words_tell_batches_from_pairs():
    assert str(Coverage(3, 4, 0.2, 0.99)).startswith("3 of 4 pairs have an error within the set: 75 %")
    assert str(Coverage(3, 4, 0.2, 0.99, 50)).startswith("3 of 4 batches of 50 pairs")


@pytest.mark.parametrize(
    ("uncertainty", "options", "words"),
    [
        (LocalBudget(fraction=0.1), {}, "training data"),
        (LocalBudget([1.0, 2.0]), {}, "2 samples"),
        (LocalBudget(1.0, prices=[1.0]), {}, "prices"),
        (LocalBudget(1.0), {"n_samples": 2}, "global"),
        (GlobalBudget(1.0), {"n_samples": 5}, "from 1 to 4"),
        (1.0, {}, "uncertainty must be"),
    ],
)
def test_sets_that_do_not_fit_are_told(uncertainty, options, words):
    with pytest.raises(InputError, match=words):
        coverage(uncertainty, OBSERVED, TRUE, **options)


def test_a_limit_of_zero_covers_no_error_at_all():
    errors = np.array([[0.0], [1e-10]])
    assert coverage(LocalBudget(1.0, limits=0.0), errors, 0.0 * errors).covered == 1


TREE = Tree.full([0, 1, 1], [5.0, 2.0, 2.0], [[1, 0], [0, 1], [1, 0], [0, 1]])


def test_an_effective_error_is_the_way_from_the_truth_to_the_leaf_of_the_reading():
    truth = np.array([[7.0, 1.0], [4.0, 1.0], [7.0, 1.0], [9.0, 3.0]])
    readings = np.array([[4.0, 1.0], [4.9, 1.9], [4.0, 3.0], [99.0, 99.0]])
    assert effective_errors(TREE, readings, truth).tolist() == pytest.approx([2.0, 0.0, 3.001, 0.0])
    priced = effective_errors(TREE, readings, truth, LocalBudget(1.0, prices=[10.0, 1.0], limits=0.1))
    assert priced.tolist() == pytest.approx([20.0, 0.0, 21.001, 0.0])
    assert effective_errors(Tree.single([1, 0]), readings, truth).tolist() == [0.0] * 4


def test_with_a_tree_coverage_is_about_advice():
    truth = np.array([[7.0, 1.0], [4.0, 1.0], [7.0, 1.0], [9.0, 3.0]])
    readings = np.array([[4.0, 1.0], [4.9, 1.9], [4.0, 3.0], [99.0, 99.0]])
    assert coverage(LocalBudget(2.0), readings, truth).covered == 1
    assert coverage(LocalBudget(2.0), readings, truth, tree=TREE).covered == 3


def test_without_a_tree_the_largest_errors_count():
    errors = np.array([[3.0, 1.0, 1.0]])
    covered = [coverage(LocalBudget(4.0), errors, 0.0 * errors, depth=depth).covered for depth in (1, 2, 3, None)]
    assert covered == [1, 1, 0, 0]
