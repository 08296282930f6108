"""Parts of a sound as lists of samples: vibrations of a body, noise, strings, the room around them."""

from collections.abc import Iterable, Sequence
from math import cos, exp, pi, sin
from random import Random
from typing import Final

RATE: Final = 32_000
"""Samples per second."""

Samples = list[float]
Mode = tuple[float, float, float]
"""A way in which a body vibrates: frequency in Hz, seconds until it has fallen to 1/e, level."""

_REFLECTIONS: Final = (
    (0.0061, 0.20),
    (0.0097, -0.15),
    (0.0143, 0.12),
    (0.0199, -0.09),
    (0.0271, 0.07),
    (0.0353, 0.05),
)
"""Delay in seconds and level of what the walls of a small room send back."""
_INAUDIBLE: Final = 0.0025
"""Part of the peak below which the end of a sound is cut."""


def silence(seconds: float) -> Samples:
    """Return silence."""
    return [0.0] * round(seconds * RATE)


def mix(seconds: float, *parts: tuple[float, float, Sequence[float]]) -> Samples:
    """Return parts added together, each with its start in seconds and its level; what is longer is cut."""
    mixed = silence(seconds)
    for start, level, samples in parts:
        first = round(start * RATE)
        for index, sample in enumerate(samples[: max(0, len(mixed) - first)], first):
            mixed[index] += level * sample
    return mixed


def struck(seconds: float, modes: Iterable[Mode]) -> Samples:
    """Return the vibrations of a body after one stroke; every mode starts at zero."""
    total = silence(seconds)
    for frequency, decay, level in modes:
        turn, shrink = 2 * pi * frequency / RATE, exp(-1 / (decay * RATE))
        # The recursion of a damped sine: two multiplications for each sample.
        factor, last = 2 * shrink * cos(turn), -shrink * shrink
        before, now = 0.0, level * sin(turn) * shrink
        for index in range(1, len(total)):
            total[index] += now
            before, now = now, factor * now + last * before
    return total


def noise(seconds: float, decay: float, low: float, high: float, random: Random) -> Samples:
    """Return a burst of noise between two frequencies that fades."""
    burst = [random.uniform(-1, 1) for _ in range(round(seconds * RATE))]
    return faded(high_pass(low_pass(low_pass(burst, high), high), low), decay)


def faded(samples: Sequence[float], decay: float, attack: float = 0.0004) -> Samples:
    """Return samples that rise within `attack` seconds and fall to 1/e within `decay`."""
    shrink, level, rise = exp(-1 / (decay * RATE)), 1.0, max(1, round(attack * RATE))
    result = []
    for index, sample in enumerate(samples):
        result.append(sample * level * min(1.0, index / rise))
        level *= shrink
    return result


def plucked(seconds: float, frequency: float, brightness: float, random: Random) -> Samples:
    """Return a plucked string (Karplus and Strong): noise that is repeated, smoother each time."""
    length = RATE / frequency - 0.5
    whole = int(length)
    part = length - whole
    line = low_pass([random.uniform(-1, 1) for _ in range(whole + 2)], 1_500 + 6_000 * brightness)
    mean = sum(line) / len(line)
    string = [sample - mean for sample in line]
    for index in range(len(string), round(seconds * RATE)):
        near, far, farther = (string[index - whole - step] for step in (0, 1, 2))
        # Between the samples, for a pitch between two lengths; the mean is the loss of the string.
        first, second = near + part * (far - near), far + part * (farther - far)
        string.append(0.996 * (0.5 * first + 0.5 * second))
    return faded(string, seconds / 3, attack=0.002)


def gliding(seconds: float, frequency: float, rise: float, modes: Iterable[Mode]) -> Samples:
    """Return the modes of a small gong, relative to `frequency`: the pitch rises while it fades."""
    total = silence(seconds)
    for ratio, decay, level in modes:
        phase, shrink, loud = 0.0, exp(-1 / (decay * RATE)), level
        for index in range(len(total)):
            total[index] += loud * sin(phase)
            loud *= shrink
            share = 1 - exp(-index / (0.12 * RATE))
            phase += 2 * pi * frequency * ratio * (1 + rise * share) / RATE
    return total


def low_pass(samples: Sequence[float], frequency: float) -> Samples:
    """Return samples without most of what is above a frequency (one pole)."""
    share, level = 1 - exp(-2 * pi * frequency / RATE), 0.0
    result = []
    for sample in samples:
        level += share * (sample - level)
        result.append(level)
    return result


def high_pass(samples: Sequence[float], frequency: float) -> Samples:
    """Return samples without most of what is below a frequency."""
    return [sample - slow for sample, slow in zip(samples, low_pass(samples, frequency), strict=True)]


def in_room(samples: Sequence[float], amount: float) -> Samples:
    """Return samples with the reflections of a small room; the length stays."""
    dull = low_pass(samples, 3_500)
    reflections = [(delay, level * amount, dull) for delay, level in _REFLECTIONS]
    early = mix(len(samples) / RATE, *reflections)
    # What is reflected once comes back once more, quieter.
    late = low_pass(early, 1_800)
    return mix(len(samples) / RATE, (0, 1, samples), (0, 1, early), (0.0313, 0.6, late), (0.0471, 0.4, late))


def finished(samples: Sequence[float], peak: float, fade: float = 0.03) -> Samples:
    """Return samples with this peak, without hum below 40 Hz and without an inaudible end."""
    clean = high_pass(samples, 40)
    highest = max(abs(sample) for sample in clean)
    audible = max(index for index, sample in enumerate(clean) if abs(sample) > highest * _INAUDIBLE)
    tail = round(fade * RATE)
    clean = clean[: audible + tail]
    for index in range(min(tail, len(clean))):
        clean[-1 - index] *= 0.5 - 0.5 * cos(pi * index / tail)
    return [sample * peak / highest for sample in clean]


def halved(samples: Sequence[float]) -> Samples:
    """Return the sound at half the rate, without the frequencies that this rate cannot hold."""
    reach = 15
    window = [0.54 + 0.46 * cos(pi * step / (reach + 1)) for step in range(reach + 1)]
    cut = 2 * pi * 7_000 / RATE
    taps = [cut / pi, *(window[step] * sin(cut * step) / (pi * step) for step in range(1, reach + 1))]
    # The filter rings before a stroke; it starts early enough for that.
    padded = [0.0] * (2 * reach) + list(samples) + [0.0] * (2 * reach)
    return [
        taps[0] * padded[at]
        + sum(taps[step] * (padded[at - step] + padded[at + step]) for step in range(1, reach + 1))
        for at in range(reach, len(padded) - reach, 2)
    ]
