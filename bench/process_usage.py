"""CPU time and memory of a process, including its children."""

import os
import resource
import time
from pathlib import Path
from typing import Final, NamedTuple

TICK: Final = 1 / os.sysconf("SC_CLK_TCK")
_SCHED: Final = 2
"""`CPUCLOCK_SCHED` of <linux/posix-timers.h>: the clock of a whole process."""


class Memory(NamedTuple):
    """Resident bytes, and the same with shared pages divided among the processes that share them."""

    rss: int
    pss: int


def cpu(pid: int) -> float:
    """Return the CPU seconds of a process and its descendants, running and ended.

    The same quantity as utime + stime of `/proc/<pid>/stat`, to the nanosecond instead of the tick.
    """
    return sum(
        time.clock_gettime((~process << 3) | _SCHED) + reaped(process) for process in process_tree(pid)
    )


def cpu_ticks(pid: int) -> float:
    """Return the CPU seconds of a process and its descendants from `/proc/<pid>/stat`."""
    return sum(sum(stat_times(Path(f"/proc/{process}/stat").read_text())) for process in process_tree(pid))


def kernel(pid: int) -> float:
    """Return the part of `cpu_ticks` that was spent in the kernel, which server code cannot save."""
    return sum(
        sum(stat_times(Path(f"/proc/{process}/stat").read_text())[1::2]) for process in process_tree(pid)
    )


def reaped(pid: int) -> float:
    """Return the CPU seconds of the children this process has waited for."""
    return sum(stat_times(Path(f"/proc/{pid}/stat").read_text())[2:])


def waited(pid: int) -> float:
    """Return the seconds in which this process was ready to run but other processes ran."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9


def stat_times(stat: str) -> tuple[float, float, float, float]:
    """Return utime, stime, cutime and cstime in seconds; the name before them may contain any character."""
    fields = stat.rpartition(")")[2].split()
    utime, stime, cutime, cstime = (int(field) * TICK for field in fields[11:15])
    return utime, stime, cutime, cstime


def process_tree(pid: int) -> list[int]:
    """Return the process and all its running descendants."""
    found = [pid]
    for process in found:
        for children in Path(f"/proc/{process}/task").glob("*/children"):
            found += map(int, children.read_text().split())
    return found


def memory(pid: int) -> Memory:
    """Return the resident memory of a process and its descendants."""
    parts = [rollup(Path(f"/proc/{process}/smaps_rollup").read_text()) for process in process_tree(pid)]
    return Memory(sum(part.rss for part in parts), sum(part.pss for part in parts))


def rollup(text: str) -> Memory:
    """Return the sums of a `smaps_rollup`."""
    sizes = {line.split(":")[0]: line.split()[1] for line in text.splitlines()[1:]}
    return Memory(int(sizes["Rss"]) * 1024, int(sizes["Pss"]) * 1024)


def raise_file_limit(wanted: int) -> int:
    """Allow this process and its children this many open files; return the limit that was set."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft == resource.RLIM_INFINITY or soft >= allowed:
        return soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return allowed
