"""The sound files of the page: made by `tools.sounds`, not too loud, not too long, without clicks."""

from math import sqrt
from pathlib import Path
from typing import Final

import pytest

from tools.sounds.recipes import RECIPES, SOURCE, Recipe
from tools.sounds.wav_file import Sound, decode, encode, read, write

MAX_PEAK: Final = 10 ** (-3 / 20)
"""-3 dB of full scale."""
MIN_LOUDNESS: Final = 10 ** (-40 / 20)
"""Lowest root mean square of the loudest 50 ms: -40 dB."""
MAX_EDGE: Final = 0.004
"""Highest first and last sample; a jump of more than this is heard as a click."""
MAX_SECONDS: Final = 0.6
MAX_SECONDS_OF_CALL: Final = 1.5
MAX_BYTES: Final = 200_000
MAX_DIFFERENCE: Final = 1
"""Steps of the 8-bit scale by which a sample may differ: on other machines, a sine has another last bit."""

every_sound = pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.file.stem)


def sound(recipe: Recipe) -> Sound:
    return read(recipe.file.read_bytes())


def level(byte: int) -> int:
    """Return the place of a sample on the scale, from the lowest to the highest."""
    return byte if byte < 0x80 else 0x17F - byte


@every_sound
def test_no_sound_clips_or_is_louder_than_3_decibels_below_full_scale(recipe: Recipe) -> None:
    peak = max(abs(sample) for sample in sound(recipe).samples)
    assert peak < MAX_PEAK


@every_sound
def test_every_sound_can_be_heard(recipe: Recipe) -> None:
    rate, samples = sound(recipe)
    length = rate // 20
    pieces = [samples[start : start + length] for start in range(0, len(samples), length)]
    assert max(sqrt(sum(one * one for one in piece) / length) for piece in pieces) > MIN_LOUDNESS


@every_sound
def test_every_sound_starts_and_ends_in_silence(recipe: Recipe) -> None:
    samples = sound(recipe).samples
    assert abs(samples[0]) < MAX_EDGE
    assert max(abs(sample) for sample in samples[-16:]) < MAX_EDGE


@every_sound
def test_only_calls_are_longer_than_600_milliseconds(recipe: Recipe) -> None:
    rate, samples = sound(recipe)
    assert len(samples) / rate < (MAX_SECONDS_OF_CALL if recipe.call else MAX_SECONDS)


@every_sound
def test_every_file_is_what_its_recipe_makes(recipe: Recipe) -> None:
    kept, made = recipe.file.read_bytes(), recipe.content()
    assert len(kept) == len(made), "run python -m tools.sounds"
    header = kept.index(b"data") + 8
    assert kept[:header] == made[:header]
    for one, other in zip(kept[header:], made[header:], strict=True):
        assert abs(level(one) - level(other)) <= MAX_DIFFERENCE, "run python -m tools.sounds"


def test_all_files_together_are_small_and_each_has_a_recipe() -> None:
    files = set(SOURCE.rglob("*.wav"))
    assert files == {recipe.file for recipe in RECIPES}
    assert sum(file.stat().st_size for file in files) < MAX_BYTES


def test_no_two_sounds_are_the_same() -> None:
    assert len({recipe.file.read_bytes() for recipe in RECIPES}) == len(RECIPES)


@pytest.mark.parametrize(
    ("sample", "byte"), [(0.0, 0xFF), (1.0, 0x80), (-1.0, 0x00), (0.5, 0x8F), (-0.5, 0x0F)]
)
def test_samples_are_encoded_as_g711_says(sample: float, byte: int) -> None:
    assert encode(sample) == byte
    assert decode(byte) == pytest.approx(sample, abs=0.05)


def test_every_byte_is_decoded_to_a_sample_that_is_encoded_to_it() -> None:
    # 0x7F is minus zero.
    assert [encode(decode(byte)) for byte in range(256) if byte != 0x7F] == [
        *range(0x7F),
        *range(0x80, 0x100),
    ]


@pytest.mark.parametrize("damage", [b"RIFX", b""])
def test_a_file_that_is_not_whole_is_refused(tmp_path: Path, damage: bytes) -> None:
    whole = write(16_000, [0.0] * 100)
    with pytest.raises(ValueError, match="not a WAV file"):
        read(damage + whole[4:] if damage else whole[:-1])
