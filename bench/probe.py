"""What a process uses: CPU time and memory, children included."""

import os
import resource
import time
from pathlib import Path
from typing import Final, NamedTuple

TICK: Final = 1 / os.sysconf("SC_CLK_TCK")
_SCHED: Final = 2
"""`CPUCLOCK_SCHED` of <linux/posix-timers.h>: the clock of a whole process."""


class Memory(NamedTuple):
    """Resident bytes, and the same with shared pages split between those who share them."""

    rss: int
    pss: int


def cpu(pid: int) -> float:
    """Return the CPU seconds of a process and its descendants, living and dead.

    The same quantity as utime + stime of `/proc/<pid>/stat`, to the nanosecond instead of the tick.
    """
    return sum(time.clock_gettime((~process << 3) | _SCHED) + reaped(process) for process in family(pid))


def cpu_ticks(pid: int) -> float:
    """Return the CPU seconds of a process and its descendants from `/proc/<pid>/stat`."""
    return sum(sum(stat_times(Path(f"/proc/{process}/stat").read_text())) for process in family(pid))


def kernel(pid: int) -> float:
    """Return the part of `cpu_ticks` that was spent inside the kernel, which nobody's code can save."""
    return sum(sum(stat_times(Path(f"/proc/{process}/stat").read_text())[1::2]) for process in family(pid))


def reaped(pid: int) -> float:
    """Return the CPU seconds of the children this process has waited for."""
    return sum(stat_times(Path(f"/proc/{pid}/stat").read_text())[2:])


def waited(pid: int) -> float:
    """Return the seconds this process was ready to run and others ran instead: the noise of the machine."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9


def stat_times(stat: str) -> tuple[float, float, float, float]:
    """Return utime, stime, cutime and cstime in seconds; the name before them may hold anything."""
    fields = stat.rpartition(")")[2].split()
    utime, stime, cutime, cstime = (int(field) * TICK for field in fields[11:15])
    return utime, stime, cutime, cstime


def family(pid: int) -> list[int]:
    """Return the process and all its living descendants."""
    found = [pid]
    for process in found:
        for children in Path(f"/proc/{process}/task").glob("*/children"):
            found += map(int, children.read_text().split())
    return found


def memory(pid: int) -> Memory:
    """Return what a process and its descendants keep resident."""
    parts = [rollup(Path(f"/proc/{process}/smaps_rollup").read_text()) for process in family(pid)]
    return Memory(sum(part.rss for part in parts), sum(part.pss for part in parts))


def rollup(text: str) -> Memory:
    """Return the sums of a `smaps_rollup`."""
    sizes = {line.split(":")[0]: line.split()[1] for line in text.splitlines()[1:]}
    return Memory(int(sizes["Rss"]) * 1024, int(sizes["Pss"]) * 1024)


def raise_files(wanted: int) -> int:
    """Allow this process and what it starts this many open files, and return how many it may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft == resource.RLIM_INFINITY or soft >= allowed:
        return soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return allowed
