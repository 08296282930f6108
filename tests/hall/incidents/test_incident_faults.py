"""Exceptions as they are kept: classes and calls, no texts; the same fault once in ten seconds."""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from qipai.hall import internal_errors
from qipai.hall.incidents.faults import MAX_CALLS, MAX_CAUSES, faults_of
from qipai.hall.incidents.incident_interface import KeptIncident, fingerprint
from qipai.hall.internal_errors import REPEAT_SECONDS, InternalErrors
from qipai.hall.journal.store_interface import StoreError


def nested(text: str) -> Exception:
    """Return an exception with a cause."""
    try:
        try:
            raise KeyError(text)
        except KeyError as error:
            raise StoreError(f"no {text}") from error
    except StoreError as error:
        return error


def deep(level: int) -> None:
    if level:
        deep(level - 1)
    else:
        raise RecursionError("too deep")


def test_an_exception_and_its_cause_are_kept_as_classes_and_calls() -> None:
    error, cause = faults_of(nested("Ada"))
    assert error.kind == "qipai.hall.journal.store_interface.StoreError"
    assert cause.kind == "builtins.KeyError"
    (call,) = cause.calls
    module, _, place = call.partition(":")
    assert module == __name__
    assert place.endswith(" nested")


def test_the_text_of_an_exception_makes_no_difference() -> None:
    assert faults_of(nested("Ada")) == faults_of(nested("Bo"))


def test_a_recursion_keeps_its_innermost_calls_and_a_long_chain_its_first_exceptions() -> None:
    with pytest.raises(RecursionError) as raised:
        deep(100)
    (fault,) = faults_of(raised.value)
    assert len(fault.calls) == MAX_CALLS
    assert fault.calls[-1].endswith(" deep")
    chained: Exception = ValueError()
    for _ in range(50):
        following = ValueError()
        following.__cause__, chained = chained, following
    assert len(faults_of(chained)) == MAX_CAUSES


@pytest.mark.slow
def test_calls_of_another_process_are_kept_without_folders() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        error = pool.submit(deep, 1).exception(60)
    assert error is not None
    faults = faults_of(error)
    remote = next(fault for fault in faults if fault.kind.endswith("_RemoteTraceback"))
    assert remote.calls[-1].startswith("test_incident_faults.py:")
    assert not any("/" in call for fault in faults for call in fault.calls)


def test_a_fault_that_repeats_is_kept_once_per_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000.0]
    monkeypatch.setattr(internal_errors, "monotonic", lambda: now[0])
    kept: list[KeptIncident] = []
    errors = InternalErrors(kept.append)
    for number in range(50):
        errors.connection_failed(nested(f"text {number}"))
    errors.task_failed(asyncio.InvalidStateError())
    now[0] += REPEAT_SECONDS
    incident = errors.connection_failed(nested("Ada"))
    assert [each.event for each in kept] == [
        "connection failed",
        "background task failed",
        "connection failed",
    ]
    assert kept[-1].incident == incident
    assert fingerprint(kept[0].faults) == fingerprint(kept[-1].faults) != fingerprint(kept[1].faults)
