"""A run in progress: what it keeps, what it tells, when it stops, and the clock that it is measured by."""

import math

import pytest

from hedgerow import Instance, Tree
from hedgerow.problems import Selection
from hedgerow.run import Deadline, Interrupt, Run

ONE, TWO = Tree.single([1.0, 0.0]), Tree.single([0.0, 1.0])


class Clock:
    """A clock that stands still until it is told to go on."""

    now = 0.0

    def __call__(self):
        return self.now


def started(sense="min", **options):
    return Run(Instance.create(Selection(2, 1, sense=sense), [[1.0, 2.0]]), **options)


# -- what it keeps -----------------------------------------------------------------------------------------------------


def test_a_better_tree_is_taken_and_no_other():
    run = started()
    assert run.offer(ONE, 10.0)
    assert not run.offer(TWO, 10.0)
    assert not run.offer(TWO, 11.0)
    assert (run.tree, run.value) == (ONE, 10.0)
    assert run.offer(TWO, 9.0)
    assert (run.tree, run.value) == (TWO, 9.0)


def test_of_equally_good_trees_the_one_with_fewer_questions_is_kept_then_the_cheaper_one_as_read():
    run = started()
    stump = Tree.full([0], [0.5], [[1.0, 0.0], [0.0, 1.0]])
    idle = Tree.full([0], [0.5], [[0.0, 1.0], [0.0, 1.0]])
    run.offer(stump, 10.0)
    assert not run.offer(idle, 10.0)
    assert run.tree == idle
    assert not run.offer(ONE, 10.0)
    assert not run.offer(TWO, 10.0)
    assert not run.offer(stump, 10.0)
    assert (run.tree, run.value, len(run.statistics)) == (ONE, 10.0, 1)


def test_a_tree_better_by_rounding_only_is_no_better():
    run = started()
    run.offer(ONE, 1e6)
    assert not run.offer(TWO, 1e6 - 1e-4)
    assert run.offer(TWO, 1e6 - 1e-2)


# -- what it tells -----------------------------------------------------------------------------------------------------


def test_rows_are_told_as_they_come_with_time_and_detail():
    clock, rows = Clock(), []
    run = started(deadline=Deadline(clock=clock), monitor=rows.append)
    clock.now = 1.5
    run.offer(ONE, 10.0, "first tree")
    clock.now = 2.0
    run.raise_bound(8.0, "root bound")
    assert [(row.runtime, row.value, row.bound, row.detail) for row in rows] == [
        (1.5, 10.0, -math.inf, "first tree"),
        (2.0, 10.0, 8.0, "root bound"),
    ]
    assert list(run.statistics) == rows


def test_a_maximising_problem_is_told_in_gains():
    rows = []
    run = started("max", monitor=rows.append)
    run.offer(ONE, -10.0)
    run.raise_bound(-12.0)
    assert (rows[-1].value, rows[-1].bound) == (10.0, 12.0)
    assert run.gap == pytest.approx(0.2)


# -- when it stops -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bound", "gap_limit", "status"),
    [
        (10.0, 0.0, "optimal"),
        (10.0 - 1e-6, 0.0, "optimal"),
        (9.9, 0.01, "gap_limit"),
        (7.5, 0.25, "gap_limit"),
        (9.0, 0.01, "feasible"),
    ],
)
def test_a_closed_gap_ends_it(bound, gap_limit, status):
    run = started(gap_limit=gap_limit)
    run.offer(ONE, 10.0)
    run.raise_bound(bound)
    assert run.running == (status == "feasible")
    assert run.status == status


def test_time_ends_it():
    clock = Clock()
    run = started(deadline=Deadline(5.0, clock=clock))
    assert run.running
    clock.now = 5.0
    assert run.must_stop()
    assert not run.running
    assert run.status == "time_limit"


def test_iterations_end_it():
    run = started(iteration_limit=3)
    run.count(3)
    assert not run.running
    assert not run.must_stop()
    assert run.status == "iteration_limit"


def test_no_better_tree_for_long_ends_it():
    run = started(stall_limit=5)
    run.count(4)
    run.offer(ONE, 10.0)
    run.count(4)
    assert run.running
    run.count()
    assert not run.running
    assert run.status == "stalled"


def test_an_interruption_ends_it():
    interrupt = Interrupt()
    run = started(interrupt=interrupt)
    interrupt.request()
    assert run.must_stop()
    assert not run.running
    assert run.status == "interrupted"


def test_a_monitor_that_returns_false_ends_it_and_nothing_else_it_returns_does():
    for answer, ends in ((False, True), (None, False), (True, False), (0, False)):
        run = started(monitor=lambda row, answer=answer: answer)
        run.offer(ONE, 10.0)
        assert run.running != ends


def test_a_proof_that_comes_last_counts():
    """A run out of time whose last bound closes the gap is optimal all the same."""
    clock = Clock()
    run = started(deadline=Deadline(5.0, clock=clock))
    run.offer(ONE, 10.0)
    clock.now = 6.0
    assert not run.running
    run.raise_bound(10.0)
    assert run.status == "optimal"


# -- its clock ---------------------------------------------------------------------------------------------------------


def test_time_is_up_at_the_limit_and_stays_up():
    clock = Clock()
    deadline = Deadline(5.0, clock=clock)
    for later in (5.0, 3.0):
        clock.now += later
        assert (deadline.remaining(), deadline.passed()) == (0.0, True)


def test_pieces_of_work_share_half_of_the_time_that_is_left():
    deadline = Deadline(10.0, clock=iter([0.0, 2.0, 6.0, 12.0]).__next__)
    assert [deadline.share(4), deadline.share(1), deadline.share(1)] == [1.0, 2.0, 0.0]
    assert Deadline(None).share(3) == float("inf")
