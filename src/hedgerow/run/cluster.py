"""Work on a Dask cluster, given its address."""

__all__ = ["on_cluster"]

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from hedgerow.errors import InputError, needed

_SECONDS_TO_CONNECT: Final = 10


@contextmanager
def on_cluster(address: str | None) -> Iterator[None]:
    """Give all tasks inside the block to the Dask cluster at this address; None for the processes of this machine."""
    if address is None:
        yield
        return
    from joblib import parallel_config

    with _client(address) as client, parallel_config("dask", client=client):
        yield


def _client(address: str) -> Any:
    with needed("a Dask cluster needs the package distributed", "dask"):
        from distributed import Client
        from distributed.comm import get_address_host_port, parse_address
    try:
        # A client that can't connect waits for long and logs errors later; so find out first whether anything listens.
        host_and_port: Any = get_address_host_port(address)
        if parse_address(address)[0] in ("tcp", "tls"):
            socket.create_connection(host_and_port, _SECONDS_TO_CONNECT).close()
        return Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"no Dask scheduler answers at {address!r}: {reason:.200}.") from None
