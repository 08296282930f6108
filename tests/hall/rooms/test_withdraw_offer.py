"""Taking one's own offer back, and tables with house rules of their own."""

from tests.support.hall_simulation import HallSimulation, Message


def events(messages: list[Message]) -> list[Message]:
    return [event for message in messages for event in message.get("events", ())]


def refusals(messages: list[Message]) -> list[str]:
    return [message["code"] for message in messages if message["type"] == "refused"]


def test_an_offer_can_be_taken_back_by_who_made_it(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    ann.ask("resign", room=room)
    bob.received()
    offer = events(ann.ask("offer", room=room, kind="rematch"))[0]["offer"]["id"]
    assert refusals(bob.ask("withdraw", room=room, offer=offer)) == ["not_allowed"]
    assert refusals(ann.ask("withdraw", room=room, offer=offer + 1)) == ["not_offered"]
    assert events(ann.ask("withdraw", room=room, offer=offer)) == [{"e": "offer_ended", "offer": offer}]
    assert events(bob.received()) == [{"e": "offer_ended", "offer": offer}]
    assert refusals(bob.ask("answer", room=room, offer=offer, yes=True)) == ["not_offered"]
    # Asking and taking back by turns is no way around the pause after a no.
    assert refusals(ann.ask("offer", room=room, kind="rematch")) == ["too_soon"]
    simulation.wait(11)
    assert events(ann.ask("offer", room=room, kind="rematch"))[0]["e"] == "offer_made"


def test_at_a_relaxed_table_a_no_may_be_asked_again_and_players_hear_watchers(
    simulation: HallSimulation,
) -> None:
    ann, bob, shown = simulation.running_room(legacy={"chat_with_spectators": True})
    room = shown["room"]["id"]
    wat = simulation.native_client("Wat")
    wat.ask("watch", room=room)
    wat.ask("say", room=room, text="hello")
    assert events(ann.received())[-1]["line"]["text"] == "hello"
    ann.ask("resign", room=room)
    bob.received()
    for _ in range(2):
        offer = events(ann.ask("offer", room=room, kind="rematch"))[0]["offer"]["id"]
        bob.ask("answer", room=room, offer=offer, yes=False)
        ann.received()


def test_a_table_may_linger_when_everybody_has_left(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    room = ann.ask("open", game="gomoku", nonce="1", table={"empty_timeout": 60})[0]["room"]["id"]
    ann.ask("leave", room=room)
    simulation.wait(59)
    assert room in simulation.hall.executor.live_rooms
    simulation.wait(2)
    assert simulation.hall.executor.live_rooms == {}


def test_a_title_is_one_line_of_thirty_characters(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    shown = ann.ask("open", game="gomoku", nonce="1", table={"title": "  a\u202e \n b  "})[0]["room"]
    assert shown["table"]["title"] == "a b"
    assert ann.ask("open", game="gomoku", nonce="2", table={"title": "x" * 31})[0]["code"] == "malformed"
    (news,) = simulation.native_client("Eve").ask("lobby")
    assert [row["title"] for row in news["rooms"]] == ["a b"]
