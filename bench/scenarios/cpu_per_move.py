"""The row that compares CPU time per move."""

from collections.abc import Sequence
from typing import Final

from bench.load.measurement import Measurement, noise
from bench.report import Row
from bench.statistics import median

MICRO: Final = 1e6


def comparison_row(
    name: str, qipai_runs: Sequence[Measurement], reference_runs: Sequence[Measurement], note: str = ""
) -> Row:
    """Return the row of CPU per accepted move of Qipai and the reference."""
    qipai, reference = cpu_microseconds(qipai_runs), cpu_microseconds(reference_runs)
    kernel = [
        median([measurement.kernel_per_move * MICRO for measurement in runs])
        for runs in (qipai_runs, reference_runs)
    ]
    generator = median([measurement.generator_per_move * MICRO for measurement in qipai_runs])
    return Row(
        name,
        "µs",
        "<= 1.0 x",
        qipai,
        reference,
        qipai / reference,
        qipai <= reference,
        f"kernel {kernel[0]:.0f} and {kernel[1]:.0f} µs, generator {generator:.0f} µs"
        + note
        + noise([*qipai_runs, *reference_runs]),
    )


def cpu_microseconds(measurements: Sequence[Measurement]) -> float:
    """Return the median of CPU microseconds per move."""
    return median([measurement.cpu_per_move * MICRO for measurement in measurements])
