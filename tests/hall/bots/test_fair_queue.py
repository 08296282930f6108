"""The order of waiting computations: shares of addresses and persons, then age."""

from collections import Counter

from qipai.hall.bots.fair_queue import FairQueue


def take(queue: FairQueue[str], seconds: float = 1.0) -> str:
    """Take the next item, which uses so many seconds."""
    following = queue.take()
    assert following is not None
    queue.charge(payer_of(following.item), seconds)
    return following.item


def taken(queue: FairQueue[str], **seconds: float) -> list[str]:
    """Take all items; those of a person use so many seconds each."""
    items = []
    while (following := queue.take()) is not None:
        payer = payer_of(following.item)
        queue.charge(payer, seconds.get(payer[-1], 1.0))
        items.append(following.item)
    return items


def payer_of(item: str) -> tuple[str, ...]:
    return tuple(item.split()[:-1])


def queue_of(*items: str) -> FairQueue[str]:
    queue: FairQueue[str] = FairQueue()
    for item in items:
        queue.add(item, payer_of(item))
    return queue


def test_the_tables_of_one_person_wait_in_order_of_age() -> None:
    queue = queue_of("Ann 1", "Ann 2", "Ann 3")
    assert len(queue) == 3
    assert taken(queue) == ["Ann 1", "Ann 2", "Ann 3"]
    assert (len(queue), queue.take(), queue.oldest(), queue.take_oldest()) == (0, None, None, None)


def test_persons_take_turns_whatever_the_number_of_their_tables() -> None:
    assert taken(queue_of("Eve 1", "Eve 2", "Eve 3", "Ann 1", "Bob 1", "Ann 2")) == [
        "Eve 1",
        "Ann 1",
        "Bob 1",
        "Eve 2",
        "Ann 2",
        "Eve 3",
    ]


def test_many_persons_of_one_address_have_one_share_together() -> None:
    many = [f"mill Eve{person} {table}" for person in range(10) for table in range(4)]
    order = taken(queue_of(*many, "home Ann 1", "home Ann 2", "home Bob 1"))
    assert {item.split()[1] for item in order[:6] if item.startswith("home")} == {"Ann", "Bob"}
    assert sum(item.startswith("home") for item in order[:6]) == 3
    first = Counter(item.split()[1] for item in order[:13] if item.startswith("mill"))
    assert set(first.values()) == {1}


def test_a_person_with_short_computations_has_more_turns() -> None:
    queue = queue_of(*(f"Eve {number}" for number in range(20)), *(f"Ann {number}" for number in range(3)))
    order = [item.split()[0] for item in taken(queue, Eve=0.25)]
    assert order == ["Eve", "Ann", *["Eve"] * 3, "Ann", *["Eve"] * 4, "Ann", *["Eve"] * 12]


def test_an_idle_person_has_saved_no_turns() -> None:
    queue = queue_of(*(f"Ann {number}" for number in range(20)))
    for _ in range(10):
        take(queue)
    for number in range(10):
        queue.add(f"Eve {number}", ("Eve",))
    order = [take(queue).split()[0] for _ in range(10)]
    assert Counter(order) == {"Ann": 5, "Eve": 5}


def test_long_computations_of_a_person_who_was_alone_are_no_debt() -> None:
    queue = queue_of("Ann 1", "Ann 2", "Ann 3")
    for _ in range(2):
        take(queue, 100.0)
    for number in range(10):
        queue.add(f"Eve{number} 1", (f"Eve{number}",))
    assert "Ann 3" in [take(queue, 100.0) for _ in range(11)]


def test_a_person_without_waiting_items_still_owes_the_time_of_the_last() -> None:
    queue = queue_of("Ann 1", *(f"Eve {number}" for number in range(5)))
    assert take(queue, 3.0) == "Ann 1"
    queue.add("Ann 2", ("Ann",))
    assert taken(queue) == ["Eve 0", "Eve 1", "Eve 2", "Ann 2", "Eve 3", "Eve 4"]


def test_the_oldest_item_can_be_taken_before_its_turn() -> None:
    queue = queue_of("mill Eve 1", "mill Eve 2", "mill Fay 1", "home Ann 1")
    assert take(queue) == "mill Eve 1"
    assert queue.oldest() == "mill Eve 2"
    assert queue.take_oldest() == ("mill Eve 2", 1 / 2 / 2)
    assert queue.oldest() == "mill Fay 1"
    assert len(queue) == 2
    assert taken(queue) == ["home Ann 1", "mill Fay 1"]


def test_the_part_of_an_item_is_its_share_of_what_waits() -> None:
    queue = queue_of("mill Eve 1", "mill Eve 2", "mill Eve 3", "mill Eve 4", "home Ann 1", "home Bob 1")
    parts = {}
    while (following := queue.take()) is not None:
        parts[following.item] = following.part
        queue.charge(payer_of(following.item), 1.0)
    assert parts["mill Eve 1"] == 1 / 2 / 4
    assert parts["home Ann 1"] == 1 / 2 / 2
    assert parts["mill Eve 4"] == 1


def test_nothing_is_remembered_of_an_empty_queue() -> None:
    queue = queue_of(*(f"mill Eve{number} 1" for number in range(100)))
    taken(queue)
    assert not queue._root.children
    assert not queue._by_age


def test_persons_for_whom_nothing_waits_are_forgotten_while_others_play() -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(1_000):
        queue.add(f"Ann {number}", ("Ann",))
        queue.add(f"Eve{number} 1", (f"Eve{number}",))
        take(queue)
        take(queue)
        assert queue.oldest() is None or len(queue._by_age) < 20
    assert len(queue._root.children) < 20
    assert len(queue._root.order) < 20
