"""Model files, MPS and LP, plain or gzipped, as HiGHS reads them."""

__all__ = ["MODEL_FILES", "read_model"]

import gzip
import logging
import tempfile
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

from hedgerow.errors import FileFormatError, HedgerowError, InputError, SolverError
from hedgerow.mip.linear_model import LinearModel

MODEL_FILES: Final = (".mps", ".lp", ".mps.gz", ".lp.gz")
"""How the names of model files end."""

_MAX_BYTES: Final = 1 << 30
_PIECE: Final = 1 << 20
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
    if source.is_dir():
        raise InputError(f"{source} is a directory; a model file is needed.")
    if not source.exists():
        raise InputError(f"{source}: there is no such model file.")
    says_max = _scanned(source, kind)
    highs, complaints = _read_by_highs(source)
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


def _scanned(source: Path, kind: str) -> bool:
    """Refuse a file that HiGHS would misread; return whether an MPS file asks to maximise, which HiGHS may overlook.

    Without its last line a file was cut off, which HiGHS notices in one of the formats only; an LP file without a sense
    would lose its objective; and one that unpacks without end would never be read.
    """
    with source.open("rb") as packed:
        is_packed = packed.read(2) == b"\x1f\x8b"
    first, sense, is_complete, size = b"", b"", False, 0
    try:
        with gzip.open(source) if is_packed else source.open("rb") as stream:
            while line := stream.readline(_PIECE):
                size += len(line)
                if is_packed and size > _MAX_BYTES:
                    raise FileFormatError(
                        f"{source} holds more than {_MAX_BYTES >> 20} MiB; that is too large a model."
                    )
                words = line.split(b"\\")[0].lower().split()  # in LP files a backslash begins a comment
                is_complete = is_complete or line.strip().lower() == _LAST_LINE[kind]
                first = first or b"".join(words[:1])
                if words[:1] == [b"rows"]:
                    sense = sense or b"min"
                elif words[:1] == [b"objsense"] and not sense:
                    sense = words[1] if len(words) > 1 else b"in the next line"
                elif words and sense == b"in the next line":
                    sense = words[0]
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise FileFormatError(f"{source} can't be unpacked: it is damaged, or cut off.") from None
    if not is_complete:
        word = _LAST_LINE[kind].decode().upper()
        raise FileFormatError(f"{source} is cut off, or no {kind[1:].upper()} file: it does not end with {word}.")
    if kind == ".lp" and not first.startswith((b"min", b"max")):
        raise FileFormatError(f"{source} is no LP file: it must begin with minimize or maximize.")
    return kind == ".mps" and sense.startswith(b"max")


def _read_by_highs(source: Path) -> tuple[Any, list[str]]:
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
        status = highs.readModel(str(source))
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
