"""The order of waiting computations: shares of addresses and persons, then age."""

from collections import Counter

from qipai.hall.bots.fair_queue import FairQueue
from qipai.kernel.ids import Millis


def taken(queue: FairQueue[str]) -> list[str]:
    """Take all items."""
    items = []
    while (following := queue.take()) is not None:
        items.append(following.item)
    return items


def queue_of(*items: str) -> FairQueue[str]:
    queue: FairQueue[str] = FairQueue()
    for number, item in enumerate(items):
        queue.add(item, tuple(item.split()[:-1]), Millis(number))
    return queue


def test_the_tables_of_one_person_wait_in_order_of_age() -> None:
    queue = queue_of("Ann 1", "Ann 2", "Ann 3")
    assert len(queue) == 3
    assert taken(queue) == ["Ann 1", "Ann 2", "Ann 3"]
    assert (len(queue), queue.take(), queue.earliest_deadline()) == (0, None, None)


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


def test_an_idle_person_has_saved_no_turns() -> None:
    queue = queue_of("Eve 1", "Ann 1", "Ann 2", "Ann 3", "Ann 4")
    for _ in range(3):
        queue.take()
    for number in range(2, 5):
        queue.add(f"Eve {number}", ("Eve",), Millis(0))
    assert taken(queue) == ["Ann 3", "Eve 2", "Ann 4", "Eve 3", "Eve 4"]


def test_the_part_of_an_item_is_its_share_of_what_waits() -> None:
    queue = queue_of("mill Eve 1", "mill Eve 2", "mill Eve 3", "mill Eve 4", "home Ann 1", "home Bob 1")
    parts = {}
    while (following := queue.take()) is not None:
        parts[following.item] = following.part
    assert parts["mill Eve 1"] == 1 / 2 / 4
    assert parts["home Ann 1"] == 1 / 2 / 2
    assert parts["mill Eve 4"] == 1


def test_the_earliest_deadline_is_that_of_what_still_waits() -> None:
    queue: FairQueue[str] = FairQueue()
    for item, deadline in (("a", 30), ("b", 10), ("c", 20)):
        queue.add(item, (item,), Millis(deadline))
    deadlines = []
    while queue:
        deadlines.append(queue.earliest_deadline())
        queue.take()
    assert deadlines == [10, 10, 20]


def test_nothing_is_remembered_of_persons_for_whom_nothing_waits() -> None:
    queue = queue_of(*(f"mill Eve{number} 1" for number in range(100)))
    taken(queue)
    assert queue.earliest_deadline() is None
    assert not queue._root.children
    assert not queue._deadlines
