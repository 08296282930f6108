"""Engine.IO 4 as transcripts: polling, WebSocket, upgrade, heartbeat."""

import pytest

from .endpoint_stage import EndpointStage, FakeWebSocket, Peer

PLAIN = {"recovery": 0.0, "max_payload": 9}

TRANSCRIPTS = {
    "a poll begins a session and tells its terms": """
        poll
        poll< 0{"sid":"…","upgrades":["websocket"],"pingInterval":25000,"pingTimeout":20000,"maxPayload":9}
    """,
    "a WebSocket has nothing to change to": """
        ws
        ws< 0{"sid":"…","upgrades":[],…
    """,
    "a poll waits until there is something to tell": """
        poll
        poll< 0…
        poll
        post> 40
        poll< 40{"sid":"…"}
        post> 42["a",1] 42["b",2]
        poll
        poll< 42["a-back",1] 42["b-back",2]
    """,
    "two polls at once end the session": """
        poll
        poll< 0…
        poll
        poll
        400
        poll< 1
        poll
        400
    """,
    "a close packet lets the poll go and ends the session": """
        poll
        poll< 0…
        poll
        post> 1
        poll< 6
        poll
        400
    """,
    "a binary message is base64 in a payload": """
        poll
        poll< 0…
        post> 40 451-["m",{"_placeholder":true,"num":0}] baGk=
        poll
        poll< 40… 451-["m-back",{"_placeholder":true,"num":0}] baGk=
    """,
    "what is no packet ends the session": """
        poll
        poll< 0…
        post> abc
        400
        poll
        400
    """,
    "half base64 ends the session": """
        poll
        poll< 0…
        post> bA
        400
        poll
        400
    """,
    "a ping from a client is the wrong way round": """
        ws
        ws< 0…
        ws> 2
        shut
    """,
    "a WebSocket alone carries a session": """
        ws
        ws< 0{"sid":"…
        ws> 40
        ws< 40{"sid":"…"}
        ws> 42["a",1]
        ws< 42["a-back",1]
        ws> 1
        shut
    """,
    "an upgrade releases the poll, and goes on where polling ended": """
        poll
        poll< 0…
        post> 40
        poll
        poll< 40…
        poll
        ws
        ws> 2probe
        poll< 6
        ws< 3probe
        post> 42["late",1]
        ws> 5
        ws< 42["late-back",1]
        ws> 42["a",2]
        ws< 42["a-back",2]
        poll
        400
        post> 42["old",3]
        400
    """,
    "packets buffered before the probe are sent by the poll": """
        poll
        poll< 0…
        post> 40 42["a",1]
        ws
        ws> 2probe
        ws< 3probe
        poll
        poll< 40… 42["a-back",1]
        ws> 5
    """,
    "a poll during the probe is let go after a moment": """
        poll
        poll< 0…
        ws
        ws> 2probe
        ws< 3probe
        poll
        wait 0.09
        wait 0.02
        poll< 6
        poll
        wait 0.1
        poll< 6
    """,
    "a probe that leads nowhere is given up after ten seconds": """
        poll
        poll< 0…
        ws
        poll
        wait 9.9
        wait 0.2
        shut
        post> 40
        poll< 40…
        ws
        ws> 2probe
        ws< 3probe
    """,
    "a poll is answered with sixteen packets at the most": """
        poll
        poll< 0…
        post> 40 42["a"] 42["a"] 42["a"] 42["a"] 42["a"] 42["a"] 42["a"] 42["a"] 42["a"] 42["a"]
        post> 42["a"] 42["a"] 42["a"] 42["a"] 42["a"] 42["last"] 42["late"]
        poll
        poll< 40… 42["a-back"]
        poll
        poll< 42["last-back"] 42["late-back"]
    """,
    "a session that the server ends has its last words": """
        poll
        poll< 0…
        post> 40 42["go"]
        poll
        poll< 40… 41 1
        poll
        400
    """,
    "last words are kept for a while only": """
        poll
        poll< 0…
        post> 40 42["go"]
        post> 42["more"]
        400
        wait 21
        poll
        400
    """,
    "a probe that fails leaves the poll as it was": """
        poll
        poll< 0…
        ws
        ws> 2probe
        ws< 3probe
        lost
        post> 40
        poll
        poll< 40…
    """,
    "a probe that says something else is shut": """
        poll
        poll< 0…
        ws
        ws> 5probe
        shut
        poll
        post> 40
        poll< 40…
    """,
    "who answers pings stays": """
        ws
        ws< 0…
        ws> 40
        ws< 40…
        wait 25
        ws< 2
        wait 19
        ws> 3
        wait 25
        ws< 2
        ws> 3
    """,
    "who does not answer a ping is shut": """
        ws
        ws< 0…
        ws> 40
        ws< 40…
        wait 45.1
        ws< 2
        shut
    """,
    "a ping reaches a poll": """
        poll
        poll< 0…
        post> 40
        poll
        poll< 40…
        poll
        wait 25
        poll< 2
        post> 3
        poll
        wait 24
        wait 1
        poll< 2
        wait 20.1
        poll
        400
    """,
    "who connects to nothing is shut after 45 seconds": """
        ws
        ws< 0…
        wait 25
        ws< 2
        ws> 3
        wait 19.9
        ws> 6
        wait 0.2
        shut
    """,
}


@pytest.mark.parametrize("title", TRANSCRIPTS)
def test_transcript(title: str) -> None:
    with EndpointStage(**PLAIN) as stage:
        Peer(stage).play(TRANSCRIPTS[title])


def test_a_second_websocket_for_the_same_session_is_refused() -> None:
    with EndpointStage(**PLAIN) as stage:
        session = stage.session()
        assert stage.call(session.start_probe, FakeWebSocket())
        assert not stage.call(session.start_probe, FakeWebSocket())


def test_a_second_concurrent_post_closes_the_session() -> None:
    with EndpointStage(**PLAIN) as stage:
        session = stage.session()
        assert stage.call(session.start_post)
        assert not stage.call(session.start_post)
        assert session.closed


def test_an_aborted_poll_closes_the_session_unless_it_was_answered() -> None:
    with EndpointStage(**PLAIN) as stage:
        session = stage.session()
        replies: list[bytes | None] = []
        stage.call(session.poll, replies.append)
        stage.call(session.poll_aborted, replies.append)
        assert not session.closed, "the poll had been answered already"
        held = replies.append
        stage.call(session.poll, held)
        stage.call(session.poll_aborted, held)
        assert session.closed
