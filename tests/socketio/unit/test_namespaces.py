"""Socket.IO 5 as transcripts: namespaces, events, acknowledgements, errors."""

from typing import Any

import pytest

from .endpoint_stage import EndpointStage, FakeWebSocket, Peer

TRANSCRIPTS = {
    "auth is an object": """
        ws
        ws< 0…
        ws> 40{"token":"123"}
        ws< 40{"sid":"…"}
    """,
    "an application may refuse": """
        ws
        ws< 0…
        ws> 40{"token":"wrong"}
        ws< 44{"message":"not you","data":{"code":7}}
        ws> 40
        ws< 40{"sid":"…"}
    """,
    "an unknown namespace is refused, and the connection stays": """
        ws
        ws< 0…
        ws> 40/random,
        ws< 44/random,{"message":"Invalid namespace"}
        ws> 40
        ws< 40{"sid":"…"}
    """,
    "two namespaces on one connection": """
        ws
        ws< 0…
        ws> 40
        ws< 40{"sid":"…"}
        ws> 40/custom,
        ws< 40/custom,{"sid":"…"}
        ws> 42/custom,["a",1]
        ws< 42/custom,["a-back",1]
        ws> 41/custom,
        ws> 42["a",2]
        ws< 42["a-back",2]
        ws> 42/custom,["a",3]
        shut
    """,
    "an event with a number is acknowledged with it": """
        ws
        ws< 0…
        ws> 40
        ws< 40…
        ws> 42456["a",1,"2",{"3":[false]}]
        ws< 43456[1,"2",{"3":[false]}]
        ws> 40/custom,
        ws< 40…
        ws> 42/custom,0["a"]
        ws< 43/custom,0[]
    """,
    "attachments come after their packet": """
        ws
        ws< 0…
        ws> 40
        ws< 40…
        ws> 452-["a",{"_placeholder":true,"num":1},{"x":{"_placeholder":true,"num":0}}]
        ws> blob one
        ws> blob two
        ws< 452-["a-back",{"_placeholder":true,"num":0},{"x":{"_placeholder":true,"num":1}}]
        ws< blob two
        ws< blob one
        ws> 451-9["a",{"_placeholder":true,"num":0}]
        ws> blob x
        ws< 461-9[{"_placeholder":true,"num":0}]
        ws< blob x
    """,
    "text where an attachment was announced": """
        ws
        ws< 0…
        ws> 40
        ws< 40…
        ws> 451-["a",{"_placeholder":true,"num":0}]
        ws> 42["b"]
        shut
    """,
    "an attachment that was not announced": """
        ws
        ws< 0…
        ws> 40
        ws< 40…
        ws> blob x
        shut
    """,
    "anything before connecting": """
        ws
        ws< 0…
        ws> 42["a"]
        shut
    """,
    "connecting twice": """
        ws
        ws< 0…
        ws> 40
        ws< 40…
        ws> 40
        shut
    """,
    "the server lets a client go": """
        ws
        ws< 0…
        ws> 40
        ws< 40…
        ws> 42["bye"]
        ws< 41
        ws> 40
        ws< 40…
    """,
    "an acknowledgement with an unknown id is ignored": """
        ws
        ws< 0…
        ws> 40
        ws< 40…
        ws> 4312[]
        ws> 42["a"]
        ws< 42["a-back"]
    """,
    "who left every namespace has 45 seconds to enter one": """
        ws
        ws< 0…
        ws> 40
        ws< 40…
        wait 10
        ws> 41
        wait 15
        ws< 2
        ws> 3
        wait 25
        ws< 2
        ws> 3
        wait 5.1
        shut
    """,
}


@pytest.mark.parametrize("title", TRANSCRIPTS)
def test_transcript(title: str) -> None:
    with EndpointStage(recovery=0.0) as stage:
        Peer(stage).play(TRANSCRIPTS[title])


def test_an_acknowledgement_is_received_once() -> None:
    with EndpointStage(recovery=0.0) as stage:
        websocket = FakeWebSocket()
        session = stage.session(websocket)
        stage.call(session.receive, b"40")
        answers: list[list[Any]] = []
        stage.call(lambda: stage.echo.sockets[0].emit_with_ack("q", 1, on_ack=answers.append))
        assert websocket.sent[-1] == b'421["q",1]'
        stage.call(session.receive, b'431["yes"]')
        stage.call(session.receive, b'431["again"]')
        assert answers == [["yes"]]


def test_an_event_with_acknowledgement_is_not_sent_again_on_recovery() -> None:
    with EndpointStage(recovery=60.0) as stage:
        websocket = FakeWebSocket()
        session = stage.session(websocket)
        stage.call(session.receive, b"40")
        socket = stage.echo.sockets[0]
        stage.call(lambda: socket.emit_with_ack("q", 1, on_ack=lambda _: None))
        stage.call(session.websocket_closed, websocket)
        again = FakeWebSocket()
        stage.call(stage.session(again).receive, b'40{"pid":"%b"}' % socket.pid.encode())
        assert not [frame for frame in again.sent if isinstance(frame, bytes) and b'"q"' in frame]


def test_dropping_a_socket_twice_is_reported_once() -> None:
    with EndpointStage(recovery=0.0) as stage:
        session = stage.session(FakeWebSocket())
        stage.call(session.receive, b"40")
        socket = stage.echo.sockets[0]
        stage.call(socket.drop)
        stage.call(socket.drop)
        stage.call(socket.disconnect)
        assert stage.echo.log == ["connected", "disconnected: forced close"]
