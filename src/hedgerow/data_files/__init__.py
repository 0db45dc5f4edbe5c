"""Files with one row per sample or observation, in and out: CSV and Parquet."""

__all__ = ["Table", "read_table"]

from hedgerow.data_files.reading import read_table
from hedgerow.data_files.table import Table
