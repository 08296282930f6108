"""What makes the sounds: a stone on a board, wooden pieces, tiles, dice, bars, blocks, gongs, strings."""

from random import Random

from .synthesis import Samples, gliding, low_pass, mix, noise, plucked, silence, struck


def stone(random: Random) -> Samples:
    """Return a gomoku stone of slate put on a thick wooden board: a hard click, then the board."""
    click = struck(0.06, [(3_150, 0.0035, 0.5), (4_480, 0.0028, 0.45), (6_900, 0.0018, 0.3)])
    board = struck(
        0.26,
        [
            (248, 0.045, 0.8),
            (431, 0.034, 0.55),
            (702, 0.020, 0.42),
            (1_130, 0.013, 0.4),
            (1_720, 0.008, 0.35),
        ],
    )
    return mix(
        0.26, (0, 1.0, click), (0.0004, 0.75, board), (0, 0.5, noise(0.02, 0.0016, 1_500, 9_000, random))
    )


def piece(random: Random, weight: float = 1.0) -> Samples:
    """Return a wooden piece with a felt base put on a board: a soft, short thud."""
    slower = weight**0.5
    board = struck(
        0.24,
        [
            (172 / slower, 0.042 * slower, 0.9),
            (318 / slower, 0.030 * slower, 0.8),
            (545 / slower, 0.019, 0.55),
            (890 / slower, 0.012, 0.40),
            (1_480, 0.007, 0.22),
            (2_350, 0.004, 0.12),
        ],
    )
    return mix(0.24, (0, 1, board), (0, 0.9, noise(0.03, 0.004, 300, 2_600, random)))


def clack(random: Random) -> Samples:
    """Return one wooden piece that hits another."""
    wood = struck(0.1, [(1_070, 0.011, 0.7), (1_690, 0.009, 0.6), (2_840, 0.005, 0.4), (4_300, 0.003, 0.25)])
    return mix(0.1, (0, 1, wood), (0, 0.4, noise(0.02, 0.002, 1_000, 8_000, random)))


def tile(random: Random, pitch: float = 1.0) -> Samples:
    """Return a tile of bone and bamboo put on a table with a cloth."""
    bone = struck(
        0.09,
        [
            (1_980 * pitch, 0.0105, 0.5),
            (2_760 * pitch, 0.0080, 0.6),
            (4_150 * pitch, 0.0050, 0.5),
            (6_350 * pitch, 0.0028, 0.32),
        ],
    )
    table = struck(0.22, [(158, 0.030, 0.7), (262, 0.024, 0.6), (455, 0.014, 0.4)])
    return mix(
        0.22, (0, 0.8, bone), (0.0006, 0.42, table), (0, 0.5, noise(0.02, 0.0018, 1_200, 9_000, random))
    )


def tile_touch(random: Random, pitch: float) -> Samples:
    """Return two tiles that touch, without the table."""
    bone = struck(
        0.06, [(2_450 * pitch, 0.006, 0.5), (3_900 * pitch, 0.004, 0.5), (6_100 * pitch, 0.002, 0.3)]
    )
    return mix(0.06, (0, 1, bone), (0, 0.3, noise(0.015, 0.0014, 2_000, 10_000, random)))


def die(random: Random) -> Samples:
    """Return a die that hits a wooden board on a corner or an edge; no two hits are the same."""
    pitch = random.uniform(0.88, 1.16)
    corner = struck(
        0.06, [(2_250 * pitch, 0.005, 0.6), (3_480 * pitch, 0.0035, 0.5), (5_300 * pitch, 0.002, 0.3)]
    )
    board = struck(0.12, [(335 * pitch, 0.022, 0.6), (610 * pitch, 0.015, 0.45), (1_090, 0.008, 0.3)])
    return mix(
        0.12, (0, 1, corner), (0.0003, 0.55, board), (0, 0.4, noise(0.015, 0.0015, 1_500, 9_000, random))
    )


def block(frequency: float, random: Random) -> Samples:
    """Return a hollow wooden block hit with a stick."""
    hollow = struck(
        0.2,
        [
            (frequency, 0.030, 1.0),
            (frequency * 1.52, 0.016, 0.45),
            (frequency * 2.67, 0.008, 0.35),
            (frequency * 4.1, 0.004, 0.2),
        ],
    )
    return mix(0.2, (0, 1, hollow), (0, 0.25, noise(0.015, 0.002, 800, 6_000, random)))


def bar(seconds: float, frequency: float, decay: float, random: Random) -> Samples:
    """Return a wooden bar over a resonator, hit with a soft mallet; the bar is thin in its middle."""
    wood = struck(
        seconds,
        [
            (frequency, decay, 1.0),
            (frequency * 2.01, decay * 0.45, 0.10),
            (frequency * 3.93, decay * 0.30, 0.30),
            (frequency * 6.2, decay * 0.12, 0.10),
            (frequency * 9.4, decay * 0.08, 0.08),
        ],
    )
    return mix(seconds, (0, 1, wood), (0, 0.45, noise(0.03, 0.004, 250, 2_600, random)))


def gong(seconds: float, random: Random) -> Samples:
    """Return a small opera gong, whose pitch rises after the stroke."""
    modes = [
        (1, 0.30, 1.0),
        (1.47, 0.20, 0.5),
        (2.09, 0.16, 0.45),
        (2.56, 0.12, 0.35),
        (3.39, 0.09, 0.3),
        (4.2, 0.06, 0.22),
    ]
    metal = gliding(seconds, 415, 0.09, modes)
    return mix(seconds, (0, 0.7, metal), (0, 0.35, noise(0.12, 0.02, 900, 7_000, random)))


def drum(random: Random) -> Samples:
    """Return a small drum with a thick skin."""
    skin = struck(0.4, [(112, 0.075, 1.0), (178, 0.05, 0.55), (239, 0.038, 0.35), (330, 0.02, 0.2)])
    return mix(0.4, (0, 1, skin), (0, 0.35, noise(0.04, 0.006, 200, 3_000, random)))


def string(seconds: float, frequency: float, random: Random) -> Samples:
    """Return a plucked zither string with its body of wood."""
    sound = plucked(seconds, frequency, 0.7, random)
    highest = max(abs(sample) for sample in sound)
    wood = struck(0.1, [(190, 0.02, 0.5), (410, 0.012, 0.3)])
    return mix(seconds, (0, 0.9 / highest, sound), (0, 0.22, wood))


def explosion(seconds: float, random: Random) -> Samples:
    """Return an explosion some way off: a blow, a roar that becomes dull, and falling debris."""
    roar = silence(0)
    level = 0.0
    for index, sample in enumerate(noise(seconds, seconds / 4.2, 50, 5_000, random)):
        # The filter closes while the roar fades.
        share = 0.02 + 0.5 * max(0.0, 1 - index / (0.30 * 32_000)) ** 3
        level += share * (sample - level)
        roar.append(level)
    blow = struck(seconds, [(58, 0.11, 1.0), (83, 0.085, 0.7), (127, 0.05, 0.4)])
    debris = [
        (
            0.09 + 0.36 * random.random(),
            0.05 + 0.06 * random.random(),
            low_pass(tile_touch(random, random.uniform(0.3, 0.6)), 3_000),
        )
        for _ in range(9)
    ]
    return mix(seconds, (0, 2.6, roar), (0.001, 0.8, blow), *debris)


def scrape(seconds: float, low: float, high: float, random: Random) -> Samples:
    """Return something that is dragged over a rough surface: noise that swells and fades, grain by grain."""
    rough = noise(seconds, seconds, low, high, random)
    total = len(rough)
    grain = low_pass([random.random() for _ in range(total)], 180)
    mean = sum(grain) / total
    return [
        sample * (max(0.0, 0.25 + 9 * (force - mean) + 0.5)) * (4 * (index / total) * (1 - index / total))
        for index, (sample, force) in enumerate(zip(rough, grain, strict=True))
    ]
