"""The deadline: one clock that everything is measured by."""

from hedgerow.run import Deadline


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self, now=100.0):
        self.now = now

    def __call__(self):
        return self.now


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
