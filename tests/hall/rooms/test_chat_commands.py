"""What can be said at a table: phrases of its game, and only those where the host has closed the chat."""

import pytest

from qipai.games.game_registry import GAMES
from qipai.kernel.chat_lines import COMMON, Phrase
from tests.support.hall_simulation import HallSimulation


def test_a_phrase_needs_no_text_and_comes_back_with_its_words(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    (said,) = bob.ask("say", room=shown["room"]["id"], phrase="well_played", nonce="p")
    (event,) = said["events"]
    line = event["line"]
    assert (line["phrase"], line["text"], line["name"]) == ("well_played", "Well played!", "Bob")
    assert ann.received()[0]["events"] == [event]


def test_a_phrase_that_nobody_knows_is_refused_to_the_nonce_it_came_with(simulation: HallSimulation) -> None:
    _, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    (refused,) = bob.ask("say", room=room, phrase="fiddlesticks", text="hi", nonce="p")
    assert (refused["code"], refused["room"], refused["nonce"]) == ("malformed", room, "p")
    assert "phrase" in refused["about"]


@pytest.mark.parametrize("nonce", [7, "n" * 33])
def test_a_nonce_that_is_none_is_not_said_back(simulation: HallSimulation, nonce: object) -> None:
    _, bob, shown = simulation.running_room()
    (refused,) = bob.ask("say", room=shown["room"]["id"], text="hi", nonce=nonce)
    assert (refused["code"], "nonce" in refused) == ("malformed", False)
    assert "$.nonce" in refused["about"]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_names_its_phrases_and_those_of_others_are_refused(
    simulation: HallSimulation, game: str
) -> None:
    ann = simulation.native_client("Ann")
    (card,) = [card for card in ann.hello(ann.token)["games"] if card["name"] == game]
    assert card["phrases"][:20] == list(COMMON)
    assert len(card["phrases"]) <= 26
    room = ann.ask("open", game=game, nonce="t")[0]["room"]["id"]
    for phrase in Phrase:
        simulation.wait(2)
        (answer,) = ann.ask("say", room=room, phrase=phrase, nonce=phrase)
        if phrase in card["phrases"]:
            assert answer["events"][0]["line"]["phrase"] == phrase
        else:
            assert (answer["code"], answer["nonce"]) == ("not_allowed", phrase)


def test_phrases_count_as_lines(simulation: HallSimulation) -> None:
    _, bob, shown = simulation.running_room()
    for number in range(5):
        bob.ask("say", room=shown["room"]["id"], phrase="hello", nonce=f"n{number}")
    (refused,) = bob.ask("say", room=shown["room"]["id"], phrase="hello", nonce="n5")
    assert refused["code"] == "rate_limited"


def test_the_host_closes_the_chat_and_everybody_sees_it(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    host, guest = (ann, bob) if shown["room"].get("host", 0) != shown["you"] else (bob, ann)
    assert host is ann, "she opened the table"
    assert guest.ask("phrases_only", room=room, on=True, nonce="g")[0]["code"] == "not_host"
    (closed,) = host.ask("phrases_only", room=room, on=True, nonce="h")
    assert closed["nonce"] == "h"
    assert closed["events"] == [{"e": "phrases_only_set", "seat": 1 - shown["you"], "on": True}]
    assert guest.received()[0]["events"] == closed["events"]
    eve = simulation.native_client("Eve")
    assert eve.ask("watch", room=room)[0]["room"]["phrases_only"]
    assert eve.ask("phrases_only", room=room, on=False)[0]["code"] == "not_host"
    for one in (host, guest, eve):
        (refused,) = one.ask("say", room=room, text="hello", nonce="s")
        assert (refused["code"], refused["nonce"]) == ("phrases_only", "s")
    assert guest.ask("say", room=room, phrase="hello")[0]["type"] == "events"
    assert host.ask("phrases_only", room=room, on=True, nonce="again")[-1]["type"] == "unchanged"
    host.ask("phrases_only", room=room, on=False, nonce="open")
    guest.received()
    assert guest.ask("say", room=room, text="at last")[0]["events"][0]["e"] == "said"


def test_a_table_opened_in_another_seat_has_its_opener_as_the_host(simulation: HallSimulation) -> None:
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    shown = ann.ask("open", game="gomoku", nonce="t", seat=1)[0]
    assert (shown["you"], shown["room"]["host"]) == (1, 1)
    room = shown["room"]["id"]
    assert bob.ask("join", room=room)[0]["room"]["host"] == 1
    ann.received()
    ann.ask("leave", room=room)
    events = [event for notice in bob.received() for event in notice["events"]]
    assert {"e": "host_changed", "seat": 0} in events
    assert bob.ask("phrases_only", room=room, on=True, nonce="h")[0]["events"][0]["e"] == "phrases_only_set"
