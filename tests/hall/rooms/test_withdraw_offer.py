"""Taking one's own offer back, and tables with house rules of their own."""

from tests.support.stage import Message, Stage


def events(messages: list[Message]) -> list[Message]:
    return [event for message in messages for event in message.get("events", ())]


def refusals(messages: list[Message]) -> list[str]:
    return [message["code"] for message in messages if message["type"] == "refused"]


def test_an_offer_can_be_taken_back_by_who_made_it(stage: Stage) -> None:
    ann, bob, shown = stage.table()
    room = shown["room"]["id"]
    ann.ask("resign", room=room)
    bob.heard()
    offer = events(ann.ask("offer", room=room, kind="rematch"))[0]["offer"]["id"]
    assert refusals(bob.ask("withdraw", room=room, offer=offer)) == ["not_allowed"]
    assert refusals(ann.ask("withdraw", room=room, offer=offer + 1)) == ["not_offered"]
    assert events(ann.ask("withdraw", room=room, offer=offer)) == [{"e": "offer_ended", "offer": offer}]
    assert events(bob.heard()) == [{"e": "offer_ended", "offer": offer}]
    assert refusals(bob.ask("answer", room=room, offer=offer, yes=True)) == ["not_offered"]
    # Asking and taking back by turns is no way around the pause after a no.
    assert refusals(ann.ask("offer", room=room, kind="rematch")) == ["too_soon"]
    stage.wait(11)
    assert events(ann.ask("offer", room=room, kind="rematch"))[0]["e"] == "offer_made"


def test_at_a_relaxed_table_a_no_may_be_asked_again_and_players_hear_watchers(stage: Stage) -> None:
    ann, bob, shown = stage.table(legacy={"chat_with_spectators": True})
    room = shown["room"]["id"]
    wat = stage.peer("Wat")
    wat.ask("watch", room=room)
    wat.ask("say", room=room, text="hello")
    assert events(ann.heard())[-1]["line"]["text"] == "hello"
    ann.ask("resign", room=room)
    bob.heard()
    for _ in range(2):
        offer = events(ann.ask("offer", room=room, kind="rematch"))[0]["offer"]["id"]
        bob.ask("answer", room=room, offer=offer, yes=False)
        ann.heard()


def test_a_table_may_linger_when_everybody_has_left(stage: Stage) -> None:
    ann = stage.peer("Ann")
    room = ann.ask("open", game="gomoku", nonce="1", table={"empty_timeout": 60})[0]["room"]["id"]
    ann.ask("leave", room=room)
    stage.wait(59)
    assert room in stage.hall.executor.live_rooms
    stage.wait(2)
    assert stage.hall.executor.live_rooms == {}


def test_a_title_is_one_line_of_thirty_characters(stage: Stage) -> None:
    ann = stage.peer("Ann")
    shown = ann.ask("open", game="gomoku", nonce="1", table={"title": "  a\u202e \n b  "})[0]["room"]
    assert shown["table"]["title"] == "a b"
    assert ann.ask("open", game="gomoku", nonce="2", table={"title": "x" * 31})[0]["code"] == "malformed"
    (news,) = stage.peer("Eve").ask("lobby")
    assert [row["title"] for row in news["rooms"]] == ["a b"]
