"""Model files of strangers: what is kept, and what is refused in one sentence."""

import gzip

import numpy as np
import pytest

from hedgerow.errors import FileFormatError, InputError
from hedgerow.mip.model_file import read_model

LP = """max
 gain: 3 make + 2 buy + 10
st
 demand: make + buy <= 4
 least: make >= 1
bounds
 make <= 4
 -1 <= buy <= 1.5
general
 make
end
"""

MPS = """NAME plant
OBJSENSE
    MAX
ROWS
 N gain
 L demand
 G least
COLUMNS
    MARKER 'MARKER' 'INTORG'
    make gain 3 demand 1
    make least 1
    MARKER 'MARKER' 'INTEND'
    buy gain 2 demand 1
RHS
    RHS gain -10 demand 4
    RHS least 1
BOUNDS
 UP BND make 4
 LO BND buy -1
 UP BND buy 1.5
ENDATA
"""


def written(folder, name, content):
    data = content if isinstance(content, bytes) else content.encode()
    (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return folder / name


@pytest.mark.parametrize(
    ("name", "text"), [("p.lp", LP), ("p.mps", MPS), ("p.lp.gz", LP), ("p.mps.gz", MPS), ("P.MPS", MPS)]
)
def test_everything_in_the_file_is_kept(name, text, tmp_path):
    model = read_model(written(tmp_path, name, text))
    assert model.names == ("make", "buy")
    assert model.row_names == ("demand", "least")
    assert (model.sense, model.offset) == ("max", 10.0)
    assert model.cost.tolist() == [3.0, 2.0]
    assert model.integer.tolist() == [True, False]
    assert model.lower.tolist() == [0.0, -1.0]
    assert model.upper.tolist() == [4.0, 1.5]
    assert model.row_lower.tolist() == [-np.inf, 1.0]
    assert model.row_upper.tolist() == [4.0, np.inf]
    assert model.matrix.toarray().tolist() == [[1.0, 1.0], [1.0, 0.0]]


@pytest.mark.parametrize("line", ["OBJSENSE MAX", "OBJSENSE      MAXIMIZE ", "OBJSENSE\n    MAXIMIZE", "objsense max"])
def test_a_file_that_maximises_does_so_wherever_it_says_it(line, tmp_path):
    assert read_model(written(tmp_path, "p.mps", MPS.replace("OBJSENSE\n    MAX", line))).sense == "max"
    assert read_model(written(tmp_path, "q.mps", MPS.replace("OBJSENSE\n    MAX\n", ""))).sense == "min"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.mps", MPS[:200], "cut off, or no MPS file: it does not end with ENDATA"),
        ("p.lp", LP[:60], "cut off, or no LP file: it does not end with END"),
        ("p.mps", "<html>no such page</html>", "cut off, or no MPS file"),
        ("p.lp", "", "cut off, or no LP file"),
        ("p.lp", "<html>\nend\n", "no LP file: it must begin with minimize or maximize"),
        ("p.lp", LP.replace("max\n", ""), "must begin with minimize or maximize"),
        ("p.mps", bytes(range(256)) * 9, "cut off, or no MPS file"),
        ("p.mps", MPS.replace("make least 1", "make lesat 1"), 'Row name "lesat" in COLUMNS section is not defined'),
        (
            "p.mps",
            MPS.replace("    make least 1\n", "").replace("RHS\n", "    make least 1\nRHS\n", 1),
            "have the same name",
        ),
        ("p.mps", MPS.replace("buy", "bu\xff").encode("latin1"), "not UTF-8"),
        ("p.lp", LP.replace("+ 10", "+ [ 2 make ^2 ] / 2"), "quadratic terms"),
        ("p.lp", LP.replace("demand: make", "demand: [ make ^2 ] + make"), "can't be read as a model"),
        ("p.lp", LP.replace("end", "semi-continuous\n buy\nend"), "semi-continuous"),
        ("p.lp", LP.replace("end", "sos\n s1: S1:: make:1 buy:2\nend"), "can't be read as a model"),
    ],
)
def test_what_is_no_linear_model_is_refused_in_a_sentence_with_the_file(name, content, message, tmp_path):
    with pytest.raises(FileFormatError, match=name) as caught:
        read_model(written(tmp_path, name, content))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("constant", ["1e308", "-1e308", "1.1e200"])
def test_a_constant_whose_sum_over_samples_overflows_is_refused(constant, tmp_path):
    with pytest.raises(InputError, match=r"p\.lp: the objective's coefficients must be from -1e\+200 to 1e\+200"):
        read_model(written(tmp_path, "p.lp", LP.replace("+ 10", f"+ {constant}")))


def test_a_packed_file_that_is_cut_off_and_one_without_variables_are_refused(tmp_path):
    packed = gzip.compress(MPS.encode())
    (tmp_path / "p.mps.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(FileFormatError, match="can't be unpacked: it is damaged, or cut off"):
        read_model(tmp_path / "p.mps.gz")
    with pytest.raises(InputError, match=r"q\.mps: a model must have at least one variable"):
        read_model(written(tmp_path, "q.mps", "NAME\nROWS\n N cost\nCOLUMNS\nRHS\nENDATA\n"))


def test_files_that_are_not_there_or_of_another_kind_are_refused(tmp_path):
    with pytest.raises(InputError, match="no such model file"):
        read_model(tmp_path / "p.mps")
    with pytest.raises(InputError, match=r"must end in \.mps, \.lp"):
        read_model(tmp_path / "p.xlsx")
    (tmp_path / "folder.lp").mkdir()
    with pytest.raises(InputError, match="is a directory"):
        read_model(tmp_path / "folder.lp")
