"""What is packed in columns is unpacked as it was, and what is damaged is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.kernel.packing.columns import NotPacked, is_packed, pack_value, unpack_value

NAMES = ("version", "at")
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.integers(-9, 9),
    st.floats(allow_nan=False), st.text(max_size=9), st.binary(max_size=9),
)  # fmt: skip
MEMBERS = st.sampled_from(("version", "at", "seat", ""))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(MEMBERS, inner, max_size=4),
    max_leaves=60,
)


@given(VALUES)
def test_every_value_is_unpacked_as_it_was(value: object) -> None:
    packed = pack_value(value, NAMES)
    assert is_packed(packed)
    # The text tells 1 from true and 1.0, 0.0 from -0.0, and the order of members.
    assert repr(unpack_value(packed, (*NAMES, "added later"))) == repr(value)


def test_like_steps_take_few_bytes() -> None:
    steps = [{"version": n, "at": 1_700_000_000_000 + 7 * n, "to_act": [n % 2]} for n in range(1_000)]
    assert len(pack_value(steps, NAMES)) < 200


def test_what_is_not_packed_is_refused() -> None:
    packed = pack_value([{"at": n} for n in range(100)], NAMES)
    for damaged in (b"", packed[:1], packed[:-2], packed[1:]):
        with pytest.raises(NotPacked):
            unpack_value(damaged, NAMES)
    with pytest.raises(NotPacked):
        unpack_value(packed, ())  # The name of the member is not known.


@pytest.mark.parametrize("column", [[], [9, 0], [0], 7, [1, 7], [6, [0, 2], [1, [7]]], [3, ["at"], []]])
def test_a_column_that_makes_no_sense_is_refused(column: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.kernel.packing.columns._to_column", lambda values, places: column)
    with pytest.raises(NotPacked):
        unpack_value(pack_value(1, NAMES), NAMES)
