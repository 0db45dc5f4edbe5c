"""Requests to stop: from any thread, and by Ctrl-C where the caller asks for that."""

import signal
import threading

import pytest

from hedgerow.run import interruptible


@pytest.fixture(autouse=True)
def handlers():
    """Give Ctrl-C a handler of the host, which has to be in place after each test."""

    def on_signal(number, frame):
        pytest.fail("the host's handler was called")

    before = signal.signal(signal.SIGINT, on_signal)
    yield
    assert signal.signal(signal.SIGINT, before) is on_signal


def block(*steps):
    """Return how many of the steps were taken in a block, whether a stop was requested, and how the block ended."""
    taken = 0
    try:
        with interruptible() as interrupt:
            for step in steps:
                step()
                taken += 1
    except BaseException as error:
        return taken, interrupt.requested, type(error)
    return taken, interrupt.requested, None


def press():
    signal.raise_signal(signal.SIGINT)


def test_the_first_ctrl_c_requests_a_stop_and_the_block_ends_by_keyboard_interrupt():
    assert block(press, list) == (2, True, KeyboardInterrupt)


def test_the_second_ctrl_c_ends_the_block_at_once():
    assert block(press, press, list) == (1, True, KeyboardInterrupt)


def fail():
    raise RuntimeError


def test_without_a_signal_the_block_ends_as_any_other():
    assert block(list) == (1, False, None)
    assert block(list, fail) == (1, False, RuntimeError)


def test_an_error_after_a_signal_does_not_hide_the_signal():
    """A loop that goes on after errors ends all the same."""
    assert block(press, fail) == (1, True, KeyboardInterrupt)


def test_an_inactive_block_and_one_in_another_thread_install_no_handler():
    before = signal.getsignal(signal.SIGINT)
    seen = []

    def look(active):
        with interruptible(active):
            seen.append(signal.getsignal(signal.SIGINT) is before)

    look(False)
    thread = threading.Thread(target=look, args=(True,))
    thread.start()
    thread.join()
    assert seen == [True, True]


def test_a_signal_that_the_process_ignores_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with interruptible() as interrupt:
        press()
        assert not interrupt.requested
    signal.signal(signal.SIGINT, before)
