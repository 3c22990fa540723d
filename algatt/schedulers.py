"""Connections to the scheduler of Dask, whose workers may be on other machines."""

from __future__ import annotations

from typing import Any

from algatt.errors import InvalidArgument, MissingExtra

ANSWER_SECONDS = 4
"""A scheduler that does not answer in that time is not there."""


def connected(scheduler: Any) -> Any:
    """Return a client of a Dask scheduler.

    Parameters
    ----------
    scheduler : str or distributed.Client or LocalCluster
        Where the scheduler is, such as ``tcp://192.168.1.5:8786``, or what Dask's `Client` takes instead.

    Raises
    ------
    MissingExtra
        If Dask is not installed.
    InvalidArgument
        If the scheduler does not answer.
    """
    try:
        import distributed
    except ImportError:
        raise MissingExtra("distributed", "distributed") from None
    import asyncio

    try:
        if isinstance(scheduler, str):
            asyncio.run(shake_hands(scheduler))
        return distributed.Client(scheduler, timeout=ANSWER_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        was = f"{scheduler!r}, which does not answer ({type(error).__name__})"
        raise InvalidArgument("scheduler", was, "the address of a Dask scheduler") from None


async def shake_hands(address: str) -> None:
    """Connect to a scheduler and leave again: a client waits for one that never answers, and for long where there is
    none.
    """
    import asyncio

    from distributed.comm import connect

    comm = await asyncio.wait_for(connect(address), ANSWER_SECONDS)
    await comm.close()
