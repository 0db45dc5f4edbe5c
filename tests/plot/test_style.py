"""Figures change nothing global, read in greyscale, and ask for matplotlib in a sentence."""

import subprocess
import sys
from itertools import pairwise

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from hedgerow import InputError
from hedgerow.plot import plot_regions, plot_tree
from hedgerow.plot._style import COLOURS, LINE_STYLES, is_dark
from tests.plot.drawn import HEDGED, SIMPLE, attacked, lightness


def test_no_two_fills_are_equally_light():
    light = sorted(map(lightness, COLOURS))
    assert min(second - first for first, second in pairwise(light)) > 5.0


def test_lines_differ_in_dashes_and_marker_too():
    for column in zip(*LINE_STYLES, strict=True):
        assert len(set(column)) == len(LINE_STYLES)


def test_settings_stay_as_they_were():
    with plt.rc_context({"font.size": 20.0, "text.usetex": True}):
        before = dict(mpl.rcParams)
        plot_tree(SIMPLE)
        assert dict(mpl.rcParams) == before


def test_given_axes_open_no_other_figure():
    _, ax = plt.subplots()
    numbers, current = plt.get_fignums(), plt.gca()
    plot_regions(attacked(HEDGED), ax=ax)
    assert plt.get_fignums() == numbers
    assert plt.gca() is current


def test_bad_input_leaves_no_empty_figure_behind():
    with pytest.raises(InputError):
        plot_regions(attacked(HEDGED), items=["e1"])
    assert not plt.get_fignums()


def test_importing_the_room_does_not_load_matplotlib():
    code = "import sys, hedgerow.plot; sys.exit('matplotlib' in sys.modules or 'sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_matplotlib_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install 'hedgerow\[plot\]'"):
        plot_tree(SIMPLE)


def test_white_is_written_on_what_is_less_light_than_grey():
    for colour in ("#000000", "#ff0000", "#0000ff", "#ffffff", "#00ff00", "#aaaaaa"):
        assert is_dark(colour) == (lightness(colour) < 60.0)
