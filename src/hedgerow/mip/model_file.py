"""Model files, MPS and LP, plain or gzipped, as HiGHS reads them."""

__all__ = ["MODEL_FILES", "read_model"]

import gzip
import logging
import tempfile
import zlib
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

from hedgerow.data.checks import check_exists
from hedgerow.errors import FileFormatError, HedgerowError, InputError, SolverError
from hedgerow.mip.linear_model import LinearModel

MODEL_FILES: Final = (".mps", ".lp", ".mps.gz", ".lp.gz")
"""How the names of model files end."""

_MAX_BYTES: Final = 1 << 30
_PIECE: Final = 1 << 20
_TAIL: Final = 1 << 16
_LAST_LINE: Final = {".mps": b"endata", ".lp": b"end"}
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
    kind = _kind(source)
    check_exists(source, "model file")
    with ExitStack() as stack:
        plain = _unpacked(source, kind, stack)
        _refuse_cut_off(source, plain, kind)
        if kind == ".lp":
            _refuse_no_objective(source, plain)
        highs, complaints = _read_by_highs(source, plain)
        says_max = kind == ".mps" and _says_max(plain)
    try:
        return _model(source, highs, complaints, says_max)
    except FileFormatError:
        raise
    except HedgerowError as error:
        raise type(error)(f"{source}: {error}") from None


def _kind(source: Path) -> str:
    name = source.name.lower().removesuffix(".gz")
    for ending in _LAST_LINE:
        if name.endswith(ending):
            return ending
    raise InputError(f"a model file's name must end in {', '.join(MODEL_FILES)}; got {source.name!r}.")


def _unpacked(source: Path, kind: str, stack: ExitStack) -> Path:
    """Return the file itself, or where it was unpacked to; one that unpacks without end is refused."""
    with source.open("rb") as packed:
        is_packed = packed.read(2) == b"\x1f\x8b"
    if not is_packed:
        return source
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hedgerow-")))
    plain = folder / f"model{kind}"
    given = 0
    try:
        with gzip.open(source, "rb") as stream, plain.open("wb") as target:
            while piece := stream.read(_PIECE):
                given += len(piece)
                if given > _MAX_BYTES:
                    raise FileFormatError(
                        f"{source} holds more than {_MAX_BYTES >> 20} MiB; that is too large a model."
                    )
                target.write(piece)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise FileFormatError(f"{source} can't be unpacked: it is damaged, or cut off.") from None
    return plain


def _refuse_cut_off(source: Path, plain: Path, kind: str) -> None:
    """Refuse a file without the line that ends it: HiGHS misses it in one of the two formats only."""
    with plain.open("rb") as stream:
        stream.seek(max(0, stream.seek(0, 2) - _TAIL))
        lines = stream.read().lower().split(b"\n")
    if _LAST_LINE[kind] not in {line.strip() for line in lines}:
        word = _LAST_LINE[kind].decode().upper()
        raise FileFormatError(f"{source} is cut off, or no {kind[1:].upper()} file: it does not end with {word}.")


def _refuse_no_objective(source: Path, plain: Path) -> None:
    """Refuse an LP file that does not begin with its sense: HiGHS reads on without one, and loses the objective."""
    with plain.open("rb") as stream:
        for line in stream:
            words = line.split(b"\\")[0].lower().split()  # a backslash begins a comment
            if words:
                if not words[0].startswith((b"min", b"max")):
                    raise FileFormatError(f"{source} is no LP file: it must begin with minimize or maximize.")
                return


def _says_max(plain: Path) -> bool:
    """Return whether an MPS file asks to maximise; HiGHS overlooks it where it stands in the line of the keyword."""
    with plain.open("rb") as stream:
        heading = False
        for line in stream:
            words = line.upper().split()
            if words[:1] == [b"OBJSENSE"]:
                heading, words = True, words[1:]
            elif words[:1] in ([b"ROWS"], [b"COLUMNS"]):
                return False
            if heading and words:
                return words[0].startswith(b"MAX")
    return False


def _read_by_highs(source: Path, plain: Path) -> tuple[Any, list[str]]:
    """Return HiGHS with the model in it, and what it had to complain about."""
    try:
        import highspy
    except ImportError as error:
        raise SolverError(f"{source} can't be read: HiGHS, which reads it, can't be loaded ({error}).") from error
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("log_to_console", False)
    with tempfile.TemporaryDirectory(prefix="hedgerow-", ignore_cleanup_errors=True) as folder:
        log = Path(folder) / "log"  # before 1.14, HiGHS passes on to callbacks nothing of what it says about files
        highs.setOptionValue("log_file", str(log))
        status = highs.readModel(str(plain))
        highs.setOptionValue("log_file", "")
        said = log.read_text(encoding="utf-8", errors="replace").splitlines()
    complaints = [" ".join(line.split()[1:]) for line in said if line.startswith(("ERROR:", "WARNING:"))]
    if status == highspy.HighsStatus.kError:
        reason = next((complaint for complaint in complaints if "Parser error" not in complaint), "")
        raise FileFormatError(f"{source} can't be read as a model{f': {reason}' if reason else ''}.")
    return highs, complaints


def _model(source: Path, highs: Any, complaints: list[str], says_max: bool) -> LinearModel:
    import highspy

    lp = highs.getLp()
    twice = next((complaint for complaint in complaints if "have the same name" in complaint), "")
    if twice.startswith("Variables"):
        raise FileFormatError(f"{source} has two variables of one name: {twice}.")
    lost = next((complaint for complaint in complaints if "ignored" in complaint), "")
    if lost:
        raise FileFormatError(f"{source} is damaged: {lost}.")
    for complaint in complaints:
        _LOG.warning("%s: %s", source, complaint)
    if highs.getModel().hessian_.dim_:
        raise FileFormatError(f"{source} has quadratic terms in its objective; only linear models can be used.")
    try:
        names, row_names = list(lp.col_names_), list(lp.row_names_)
    except UnicodeDecodeError:
        raise FileFormatError(f"{source} has names that are not UTF-8 text.") from None
    if not lp.num_col_:
        raise FileFormatError(f"{source} holds no variables; that is no model.")
    kinds = np.array([int(kind) for kind in lp.integrality_] or [0] * lp.num_col_)
    allowed = [int(highspy.HighsVarType.kContinuous), int(highspy.HighsVarType.kInteger)]
    if not np.isin(kinds, allowed).all():
        worst = names[int(np.argmin(np.isin(kinds, allowed)))]
        raise FileFormatError(
            f"{source}: variable {worst!r} is semi-continuous; only continuous and integer ones work."
        )
    columns = lp.a_matrix_
    shape = (lp.num_row_, lp.num_col_)
    return LinearModel.create(
        names,
        row_names=row_names,
        sense="max" if says_max or lp.sense_ == highspy.ObjSense.kMaximize else "min",
        cost=np.array(lp.col_cost_, dtype=np.float64),
        offset=float(lp.offset_),
        lower=np.array(lp.col_lower_, dtype=np.float64),
        upper=np.array(lp.col_upper_, dtype=np.float64),
        integer=kinds == allowed[1],
        matrix=sp.csr_array(sp.csc_array((columns.value_, columns.index_, columns.start_), shape=shape)),
        row_lower=np.array(lp.row_lower_, dtype=np.float64),
        row_upper=np.array(lp.row_upper_, dtype=np.float64),
    )
