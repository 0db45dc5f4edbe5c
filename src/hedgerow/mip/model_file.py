"""Model files, MPS and LP, plain or gzipped, as HiGHS reads them."""

import gzip
import logging
import re
import tempfile
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

from hedgerow.data.checks import check_exists
from hedgerow.errors import FileFormatError, HedgerowError, InputError
from hedgerow.mip.linear_model import LinearModel

MODEL_FILES: Final = (".mps", ".lp", ".mps.gz", ".lp.gz")
"""How the names of model files end."""

_LAST_WORD: Final = {".mps": b"endata", ".lp": b"end"}
_TAIL: Final = 200
_MAXIMISES: Final = re.compile(rb"^OBJSENSE\s+MAX", re.IGNORECASE | re.MULTILINE)
_LP_OBJECTIVE: Final = re.compile(rb"(?:\s+|\\.*\n)*+(min|max)", re.IGNORECASE)  # a backslash begins a comment
_LOG = logging.getLogger("hedgerow")


def read_model(path: str | Path) -> LinearModel:
    r"""Return the linear model in an MPS or LP file.

    Raises
    ------
    FileFormatError
        If the file is cut off, no model, or a model with quadratic terms, semi-continuous variables or special sets.
    InfeasibleProblemError
        If a bound or a row contradicts itself.
    """
    source = Path(path)
    if not source.name.lower().endswith(MODEL_FILES):
        raise InputError(f"a model file's name must end in {', '.join(MODEL_FILES)}; got {source.name!r}.")
    check_exists(source, "model file")
    kind = Path(source.name.lower().removesuffix(".gz")).suffix
    try:
        content = _content(source, kind)
        highs, complaints = _read_by_highs(content, kind)
        # HiGHS overlooks a sense that stands in the line of its keyword.
        return _model(highs, complaints, says_max=kind == ".mps" and _MAXIMISES.search(content) is not None)
    except HedgerowError as error:
        raise type(error)(f"{source}: {error}") from None


def _content(source: Path, kind: str) -> bytes:
    """Return the file's text, unpacked; what HiGHS would read as another model without a word is refused."""
    content = source.read_bytes()
    if content.startswith(b"\x1f\x8b"):
        try:
            content = gzip.decompress(content)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise FileFormatError("the file can't be unpacked: it is damaged, or cut off.") from None
    last, name = _LAST_WORD[kind], kind[1:].upper()
    if content[-_TAIL:].lower().split()[-1:] != [last]:
        raise FileFormatError(f"the file is cut off, or no {name} file: it does not end with {last.decode().upper()}.")
    if kind == ".lp" and not _LP_OBJECTIVE.match(content):
        raise FileFormatError("the file is no LP file: it must begin with minimize or maximize.")
    return content


def _read_by_highs(content: bytes, kind: str) -> tuple[Any, list[str]]:
    """Return HiGHS with the model in it, and what it had to complain about."""
    import highspy

    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("log_to_console", False)
    with tempfile.TemporaryDirectory(prefix="hedgerow-", ignore_cleanup_errors=True) as folder:
        plain, log = Path(folder) / f"model{kind}", Path(folder) / "log"
        plain.write_bytes(content)
        highs.setOptionValue("log_file", str(log))  # before 1.14, callbacks get nothing of what HiGHS says about files
        status = highs.readModel(str(plain))
        highs.setOptionValue("log_file", "")
        said = log.read_text(encoding="utf-8", errors="replace").splitlines()
    complaints = [" ".join(line.split()[1:]) for line in said if line.startswith(("ERROR:", "WARNING:"))]
    if status == highspy.HighsStatus.kError:
        reason = next((complaint for complaint in complaints if "Parser error" not in complaint), "")
        raise FileFormatError(f"the file can't be read as a model{f': {reason}' if reason else ''}.")
    return highs, complaints


def _model(highs: Any, complaints: list[str], *, says_max: bool) -> LinearModel:
    import highspy

    lp = highs.getLp()
    for complaint in complaints:
        if "ignored" in complaint or complaint.startswith("Variables"):  # of which two have the same name
            raise FileFormatError(f"the file is damaged: {complaint}.")
        _LOG.warning("The model file: %s", complaint)
    if highs.getModel().hessian_.dim_:
        raise FileFormatError("the file has quadratic terms in its objective; only linear models can be used.")
    kinds = np.array([int(kind) for kind in lp.integrality_] or [0] * lp.num_col_)
    continuous, integer = int(highspy.HighsVarType.kContinuous), int(highspy.HighsVarType.kInteger)
    if not np.isin(kinds, [continuous, integer]).all():
        raise FileFormatError("the file has semi-continuous variables; only continuous and integer ones can be used.")
    try:
        names, row_names = list(lp.col_names_), list(lp.row_names_)
    except UnicodeDecodeError:
        raise FileFormatError("the file has names that are not UTF-8 text.") from None
    columns = lp.a_matrix_
    return LinearModel.create(
        names,
        row_names=row_names,
        sense="max" if says_max or lp.sense_ == highspy.ObjSense.kMaximize else "min",
        cost=np.array(lp.col_cost_, dtype=np.float64),
        offset=float(lp.offset_),
        lower=np.array(lp.col_lower_, dtype=np.float64),
        upper=np.array(lp.col_upper_, dtype=np.float64),
        integer=kinds == integer,
        matrix=sp.csc_array((columns.value_, columns.index_, columns.start_), shape=(lp.num_row_, lp.num_col_)),
        row_lower=np.array(lp.row_lower_, dtype=np.float64),
        row_upper=np.array(lp.row_upper_, dtype=np.float64),
    )
