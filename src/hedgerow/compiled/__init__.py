"""How kernels run: as plain Python while there is little to do, compiled by Numba once that pays.

Every kernel is decorated with `kernel`. Nothing else in the package imports Numba.
"""

__all__ = ["Kernel", "clock", "expect", "kernel", "may_compile", "may_run_plain", "record", "running"]

from hedgerow.compiled.kernels import Kernel, expect, kernel, may_compile, may_run_plain, running
from hedgerow.compiled.notice import clock
from hedgerow.compiled.records import record
