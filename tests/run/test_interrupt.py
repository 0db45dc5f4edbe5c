"""Ctrl-C: once is a wish, twice is an order."""

import os
import signal
import threading

import pytest

from hedgerow.run import Interrupt
from tests.run.workers_at_work import waited


def test_a_wish_can_come_from_any_thread():
    interrupt = Interrupt()
    assert not interrupt.requested
    thread = threading.Thread(target=interrupt.request)
    thread.start()
    thread.join()
    assert interrupt.requested


def test_the_first_signal_is_a_wish_and_the_second_an_order():
    interrupt = Interrupt()
    with interrupt:
        signal.raise_signal(signal.SIGINT)
        assert interrupt.requested
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_afterwards_signals_are_handled_as_before():
    before = signal.getsignal(signal.SIGINT)
    with Interrupt():
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) == before
    with pytest.raises(RuntimeError), Interrupt():
        raise RuntimeError
    assert signal.getsignal(signal.SIGINT) == before


def test_one_may_be_entered_twice():
    before = signal.getsignal(signal.SIGINT)
    interrupt = Interrupt()
    with interrupt:
        with interrupt:
            pass
        signal.raise_signal(signal.SIGINT)
    assert interrupt.requested
    assert signal.getsignal(signal.SIGINT) == before


def test_in_another_thread_it_listens_to_no_signals_but_works():
    before = signal.getsignal(signal.SIGINT)
    seen = []

    def work():
        interrupt = Interrupt()
        with interrupt:
            seen.append(signal.getsignal(signal.SIGINT) == before)
            interrupt.request()
        seen.append(interrupt.requested)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [True, True]


@pytest.fixture
def terminate_means_ctrl_c():
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    yield
    signal.signal(signal.SIGTERM, before)


def test_a_request_to_terminate_is_left_alone_by_a_library():
    before = signal.getsignal(signal.SIGTERM)
    with Interrupt():
        assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.usefixtures("terminate_means_ctrl_c")
def test_where_a_program_says_so_a_request_to_terminate_counts_as_ctrl_c():
    """Once is a wish, twice is an order, and one within another has it, too."""
    outer, inner = Interrupt(), Interrupt()
    with outer, inner:
        signal.raise_signal(signal.SIGTERM)
        assert inner.requested
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    assert outer.requested
    assert signal.getsignal(signal.SIGTERM) is signal.default_int_handler


def test_an_inner_interrupt_stops_with_the_one_around_it():
    """A fit in a loop: Ctrl-C stops both, a request for the loop stops the fit, one for the fit alone does not."""
    with Interrupt() as outer:
        with Interrupt() as inner:
            os.kill(os.getpid(), signal.SIGINT)
            assert inner.requested
            assert outer.requested
        with Interrupt() as next_one:
            assert next_one.requested
    with Interrupt() as outer:
        with Interrupt() as inner:
            inner.request()
        assert not outer.requested
    assert not Interrupt().requested


def test_a_request_reaches_those_that_follow_its_sign():
    here, there = Interrupt(), Interrupt()
    with here.announced() as sign, there.following(sign):
        here.request()
        assert waited(there)
