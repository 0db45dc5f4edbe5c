"""Figures change nothing global, read in greyscale, and ask for matplotlib in a sentence."""

import subprocess
import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from hedgerow import InputError
from hedgerow.plot import plot_tree
from tests.plot.drawn import HEDGED, SIMPLE, attacked


def test_settings_stay_as_they_were():
    with plt.rc_context({"font.size": 20.0, "text.usetex": True}):
        before = dict(mpl.rcParams)
        plot_tree(SIMPLE)
        assert dict(mpl.rcParams) == before


def test_given_axes_open_no_other_figure():
    _, ax = plt.subplots()
    numbers, current = plt.get_fignums(), plt.gca()
    plot_tree(attacked(HEDGED), ax=ax)
    assert plt.get_fignums() == numbers
    assert plt.gca() is current


def test_importing_the_room_does_not_load_matplotlib():
    code = "import sys, hedgerow.plot; sys.exit('matplotlib' in sys.modules or 'sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_matplotlib_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install 'hedgerow\[plot\]'"):
        plot_tree(SIMPLE)
