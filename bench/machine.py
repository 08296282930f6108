"""The machine on which a report was made."""

import os
import platform
import subprocess
from pathlib import Path

from .node import find_node


def machine() -> dict[str, str | int]:
    """Return what a reader needs to compare two reports."""
    node = subprocess.run([find_node(), "--version"], capture_output=True, text=True, timeout=30, check=True)
    return {
        "cpu": cpu_model(Path("/proc/cpuinfo").read_text()),
        "cores": os.cpu_count() or 0,
        "kernel": platform.release(),
        "python": platform.python_version(),
        "node": node.stdout.strip().removeprefix("v"),
    }


def cpu_model(text: str) -> str:
    """Return the model name out of `/proc/cpuinfo`, if there is one."""
    names = (line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name"))
    return next(names, platform.machine())
