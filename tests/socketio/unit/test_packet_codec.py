"""The packet codec: decoding gives what was encoded, and everything else is malformed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.socketio.engineio_packets import (
    MAX_POSTED_PACKETS,
    BinaryMessage,
    Malformed,
    Packet,
    decode_payload,
    encode_payload,
)
from qipai.socketio.socketio_packets import (
    PacketType,
    decode_packet,
    encode_control,
    encode_packet,
    insert_attachments,
)

from .endpoint_stage import EndpointStage, FakeWebSocket

NAMES = st.text(min_size=1, max_size=20).filter(
    lambda name: (
        name
        not in {"connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener"}
    )
)
PATHS = st.sampled_from(["/", "/custom", "/a-b_c/d", "/棋"])
NUMBERS = st.none() | st.integers(0, 10**15 - 1)
PLAIN = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20)
BINARY = PLAIN | st.binary(max_size=20)


def nested(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = st.text(max_size=5).filter(lambda key: key != "_placeholder")
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
        max_leaves=8,
    )


@given(NAMES, st.lists(nested(BINARY), max_size=4), PATHS, NUMBERS)
def test_a_decoded_event_equals_the_encoded_one(
    name: str, args: list[Any], path: str, number: int | None
) -> None:
    text, blobs = encode_packet(PacketType.EVENT, [name, *args], path, number)
    message = decode_packet(text[1:])
    assert text[:1] == b"4"
    assert message.type is (PacketType.BINARY_EVENT if blobs else PacketType.EVENT)
    assert (message.namespace, message.id, message.attachment_count) == (path, number, len(blobs))
    assert insert_attachments(message.data, blobs) == (name, *args)


@given(st.lists(nested(BINARY), max_size=4), PATHS, st.integers(0, 10**15 - 1))
def test_a_decoded_acknowledgement_equals_the_encoded_one(args: list[Any], path: str, number: int) -> None:
    text, blobs = encode_packet(PacketType.ACK, args, path, number)
    message = decode_packet(text[1:])
    assert message.type in {PacketType.ACK, PacketType.BINARY_ACK}
    assert (message.namespace, message.id) == (path, number)
    assert insert_attachments(message.data, blobs) == args


PACKETS = st.binary(max_size=30).map(BinaryMessage) | st.text(
    st.characters(exclude_characters="\x1e", exclude_categories=["Cs"]), max_size=30
).map(lambda text: b"4" + text.encode())


@given(st.lists(PACKETS, min_size=1, max_size=6))
def test_a_decoded_payload_equals_the_encoded_packets(packets: list[Packet]) -> None:
    assert decode_payload(encode_payload(packets)) == packets


def test_binary_in_a_payload_is_ordinary_base64() -> None:
    assert encode_payload([b"4hi", BinaryMessage(b"\x01\x02\x03\x04")]) == b"4hi\x1ebAQIDBA=="


@given(st.binary(max_size=200))
def test_arbitrary_text_is_a_packet_or_malformed(text: bytes) -> None:
    try:
        message = decode_packet(text)
    except Malformed:
        return
    assert isinstance(message.type, PacketType)


@given(st.binary(max_size=200))
def test_an_arbitrary_payload_is_packets_or_malformed(payload: bytes) -> None:
    try:
        packets = decode_payload(payload)
    except Malformed:
        return
    assert len(packets) == payload.count(b"\x1e") + 1


def test_a_payload_of_very_many_packets_is_malformed() -> None:
    assert decode_payload(b"\x1e".join([b"3"] * MAX_POSTED_PACKETS)) == [b"3"] * MAX_POSTED_PACKETS
    with pytest.raises(Malformed):
        decode_payload(b"\x1e".join([b"3"] * (MAX_POSTED_PACKETS + 1)))


GARBAGE = (
    st.binary(max_size=60)
    | st.text(max_size=60).map(str.encode)
    | st.builds(
        lambda head, tail: head.encode() + tail,
        st.from_regex(r"\A[0-6][0-6]?([0-9]{0,3}-)?(/[a-z]{0,7},?)?[0-9]{0,20}\Z"),
        st.sampled_from(
            [b"", b"[]", b'["a"]', b'["a",{}]', b"{}", b'{"a":1}', b"null", b"[1]", b"[", b'["connect"]']
        ),
    )
)


@given(
    st.lists(GARBAGE | st.binary(max_size=10).map(BinaryMessage), max_size=12), st.booleans(), st.booleans()
)
def test_arbitrary_packets_give_replies_or_a_clean_close(
    packets: list[Packet], recovery: bool, connected: bool
) -> None:
    with EndpointStage(recovery=60.0 if recovery else 0.0) as stage:
        websocket = FakeWebSocket()
        session = stage.session(websocket)
        if connected:
            stage.call(session.receive, b"40")
        for packet in packets:
            if isinstance(packet, BinaryMessage):
                stage.call(session.receive_binary, packet.body)
            else:
                stage.call(session.receive, packet)
        assert session.closed == (websocket.end_reason == "closed")
        assert session.closed == (session.sid not in stage.endpoint.sessions)


@given(st.lists(GARBAGE, min_size=1, max_size=4))
def test_arbitrary_payloads_are_decoded_or_close_the_session(parts: list[bytes]) -> None:
    with EndpointStage(recovery=0.0) as stage:
        session = stage.session()
        payload = b"\x1e".join(parts)
        stage.call(session.start_post)
        understood = stage.call(session.finish_post, payload)
        assert understood or session.closed


MALFORMED = [
    b"",
    b"7",
    b"a",
    b"2",
    b"2{}",
    b'2"a"',
    b"2[]",
    b"2[1]",
    b"2[null]",
    b'2["connect"]',
    b'2["connect_error"]',
    b'2["disconnect"]',
    b'2["disconnecting"]',
    b'2["newListener"]',
    b'2["removeListener"]',
    b'2abc["a"]',
    b'2["a"',
    b'2["a"]]',
    b'2/custom["a"]',
    b'21-["a"]',
    b'5["a"]',
    b'511-["a"]',
    b'50-["a"]',
    b"60-1[]",
    b'599999-["a"]',
    b"3",
    b"3[]",
    b"31{}",
    b"0[]",
    b'0"token"',
    b"0null",
    b"01{}",
    b"0/custom,[]",
    b"1{}",
    b'4{"message":"no"}',
    b"2[" + b"[" * 200 + b"]" * 200 + b"]",
    b"3" + b"9" * 30 + b"[]",
    b'2["\xff"]',
    b"0/\xff,",
    b'2["a",NaN]',
]


@pytest.mark.parametrize("text", MALFORMED)
def test_malformed_packets_are_refused(text: bytes) -> None:
    with pytest.raises(Malformed):
        decode_packet(text)


@pytest.mark.parametrize("number", [True, 1.0, "0", -1, 2, None, ...])
def test_a_placeholder_must_name_an_attachment(number: object) -> None:
    holder = {"_placeholder": True} if number is ... else {"_placeholder": True, "num": number}
    with pytest.raises(Malformed):
        insert_attachments(["a", holder], [b"x", b"y"])


def test_a_namespace_is_decoded_without_its_query() -> None:
    assert decode_packet(b"0/admin?token=1,{}").namespace == "/admin"
    assert decode_packet(b"0/admin").namespace == "/admin"


def test_control_packets_are_encoded_as_the_protocol_says() -> None:
    assert encode_control(PacketType.CONNECT, "/", {"sid": "x"}) == b'40{"sid":"x"}'
    assert encode_control(PacketType.DISCONNECT, "/custom") == b"41/custom,"
    assert (
        encode_control(PacketType.CONNECT_ERROR, "/custom", {"message": "no"})
        == b'44/custom,{"message":"no"}'
    )


def test_big_numbers_and_text_survive() -> None:
    args = [2**53, -0.5, "棋牌\u2028\x00", {"深": ["度"]}]
    text, _ = encode_packet(PacketType.EVENT, ["e", *args])
    assert json.loads(text[2:]) == ["e", *args]
