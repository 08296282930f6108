"""The codec: any bytes give a value within limits or raise `Malformed`."""

import contextlib
import json
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from qipai.kernel import codec
from qipai.kernel.codec import MAX_DEPTH, MAX_FRAME, Malformed, convert, nesting_depth


class Point(Struct, tag="point"):
    x: int
    name: str = ""


class Small(Struct, tag="small"):
    cell: Annotated[int, Meta(ge=0, le=8)]


DECODERS: dict[str, "msgspec.json.Decoder[Any]"] = {
    "anything": msgspec.json.Decoder(Any),
    "int": msgspec.json.Decoder(int),
    "str": msgspec.json.Decoder(str),
    "float": msgspec.json.Decoder(float),
    "numbers": msgspec.json.Decoder(list[int]),
    "union": msgspec.json.Decoder(Point | Small),
}
ANY = DECODERS["anything"]
INT = DECODERS["int"]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


def read(decoder: "msgspec.json.Decoder[Any]", frame: bytes) -> Any:
    return codec.decode_frame(decoder.decode, frame)


def nesting(value: Any) -> int:
    if isinstance(value, list):
        return 1 + max(map(nesting, value), default=0)
    if isinstance(value, dict):
        return 1 + max(map(nesting, value.values()), default=0)
    return 0


@pytest.mark.parametrize("kind", DECODERS)
@given(
    frame=st.binary(max_size=60) | st.text('[]{}",:0123456789.-+eE\\utrfnasl ', max_size=60).map(str.encode)
)
@example(frame=b"")
@example(frame=b"\xef\xbb\xbf1")
@example(frame=b'"\\ud800"')
@example(frame=b"9" * 5_000)
def test_no_bytes_raise_anything_but_malformed(kind: str, frame: bytes) -> None:
    with contextlib.suppress(Malformed):
        read(DECODERS[kind], frame)


@given(json_values)
def test_json_is_decoded_to_its_values(value: Any) -> None:
    frame = json.dumps(value).encode()
    try:
        read(ANY, frame)
    except Malformed:
        assert nesting(value) > MAX_DEPTH or len(frame) > MAX_FRAME or _beyond_msgspec(value)
    else:
        assert nesting(value) <= MAX_DEPTH


def _beyond_msgspec(value: Any) -> bool:
    # Python writes a lone surrogate as an escape; decoders may reject it.
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def test_a_frame_of_the_maximum_size_is_decoded_and_a_longer_one_is_malformed() -> None:
    full = b'"' + b"x" * (MAX_FRAME - 2) + b'"'
    assert len(read(ANY, full)) == MAX_FRAME - 2
    with pytest.raises(Malformed, match="longer"):
        read(ANY, full + b" ")


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":'])
def test_nesting_depth_is_limited(opening: bytes) -> None:
    closing = b"".join({b"[": b"]", b"{": b"}"}[bytes([byte])] for byte in reversed(opening) if byte in b"[{")
    per = len(closing)
    deep, too_deep = MAX_DEPTH // per, MAX_DEPTH // per + 1
    assert read(ANY, opening * deep + b"1" + closing * deep) is not None
    with pytest.raises(Malformed, match="deeper"):
        read(ANY, opening * too_deep + b"1" + closing * too_deep)


@pytest.mark.parametrize(
    "frame", [b"[" * 16_000, b'{"a":' * 3_000, b"[" * 8_000 + b"]" * 8_000, b"[" * 10**6]
)
@pytest.mark.parametrize("kind", DECODERS)
def test_extreme_nesting_is_malformed_and_raises_no_recursion_error(kind: str, frame: bytes) -> None:
    with pytest.raises(Malformed):
        read(DECODERS[kind], frame)


def test_closing_brackets_cannot_hide_the_depth_of_what_follows() -> None:
    with pytest.raises(Malformed):
        read(ANY, b"]" * 8_000 + b"[" * 8_000)
    with pytest.raises(Malformed):
        read(ANY, b'"]]]]]]]]]]]]]]]]]]"' + b"[" * 16_000)


@pytest.mark.parametrize(
    "frame",
    [
        b'"' + b"[" * 500 + b'"',
        b'{"text":"' + b"{" * 500 + b'"}',
        b'["' + b'\\"[' * 500 + b'"]',
        b'["\\\\", "' + b"[" * 500 + b'"]',
        b"[[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[]]",
    ],
)
def test_brackets_inside_strings_and_side_by_side_do_not_count(frame: bytes) -> None:
    assert nesting_depth(frame) <= 2
    assert read(ANY, frame) == json.loads(frame)


@given(json_values, st.booleans())
def test_the_nesting_depth_counts_open_brackets(value: Any, ascii_only: bool) -> None:
    frame = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert nesting_depth(frame) == nesting(value)


@pytest.mark.parametrize(
    "frame",
    [b"NaN", b"Infinity", b"-Infinity", b"nan", b"inf", b"1e999", b"-1e999", b"[1e400]", b'{"x":NaN}'],
)
@pytest.mark.parametrize("kind", ["anything", "float", "int"])
def test_values_that_are_not_json_numbers_are_malformed(kind: str, frame: bytes) -> None:
    with pytest.raises(Malformed):
        read(DECODERS[kind], frame)


@pytest.mark.parametrize(
    "frame", [b"true", b"false", b"1.0", b"1.5", b"1e2", b"0.1e1", b'"1"', b"null", b"[1]"]
)
def test_a_float_or_a_boolean_is_not_an_integer(frame: bytes) -> None:
    with pytest.raises(Malformed):
        read(INT, frame)
    with pytest.raises(Malformed):
        convert(json.loads(frame), int)


def test_a_very_long_integer_is_malformed() -> None:
    for frame in (b"9" * 5_000, b"-" + b"9" * 16_000):
        with pytest.raises(Malformed):
            read(INT, frame)
        with pytest.raises(Malformed):
            read(ANY, frame)


@pytest.mark.parametrize(
    "frame", [b'"\xff"', b'"\xc3"', b'"\xed\xa0\x80"', b'"\xf5\x80\x80\x80"', b'{"\xff":1}']
)
def test_text_that_is_not_utf_8_is_malformed(frame: bytes) -> None:
    with pytest.raises(Malformed):
        read(ANY, frame)


@pytest.mark.parametrize("text", ["\\ud800", "\\udc00", "\\ud83d\\ud83d", "\\ud800x", "\\ud800\\u0041"])
def test_a_lone_surrogate_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        read(ANY, f'"{text}"'.encode())
    with pytest.raises(Malformed):
        read(ANY, f'{{"{text}":1}}'.encode())


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert read(ANY, b'"\\ud83d\\ude00"') == "😀"


@pytest.mark.parametrize(
    "frame",
    [b"", b" ", b"nul", b"01", b"+1", b".5", b"1.", b"[1,]", b"1 2", b'"a', b"'a'", b'"\x00"', b"\x00"],
)
def test_text_that_is_not_json_is_malformed(frame: bytes) -> None:
    with pytest.raises(Malformed):
        read(ANY, frame)


@pytest.mark.parametrize(
    "frame",
    [
        b'{"type":"dance"}',
        b'{"x":1}',
        b"{}",
        b"null",
        b"[]",
        b'{"type":"point"}',
        b'{"type":"point","x":true}',
        b'{"type":"point","x":1,"name":null}',
        b'{"type":"small","cell":9}',
        b'{"type":"small","cell":-1}',
        b'{"type":["point"],"x":1}',
    ],
)
def test_a_message_of_the_wrong_shape_is_malformed(frame: bytes) -> None:
    with pytest.raises(Malformed):
        read(DECODERS["union"], frame)


def test_a_message_of_the_right_shape_is_decoded() -> None:
    assert read(DECODERS["union"], b'{"type":"point","x":3}') == Point(3)
    assert read(DECODERS["union"], b'{"type":"small","cell":8}') == Small(8)


@pytest.mark.parametrize("value", [True, 1.0, 1.5, "1", None, [1], {"x": 1}, float("nan"), object()])
def test_plain_values_are_converted_as_strictly_as_json(value: Any) -> None:
    with pytest.raises(Malformed):
        convert(value, int)


def test_plain_values_of_the_right_shape_are_converted() -> None:
    assert convert({"type": "point", "x": 3}, Point) == Point(3)
    assert convert(7, int) == 7


def test_converting_an_extremely_nested_value_raises_no_recursion_error() -> None:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(Malformed):
        convert(value, Point)
