"""Export and import use Redis only while no worker runs, and no worker starts meanwhile."""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import redis as client

from qipai import app
from qipai.cli import export_format, main
from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.history.archive_interface import Archive
from qipai.hall.journal.store_interface import Store, StoreError
from qipai.hall.people.identity import wall_clock
from qipai.hall.people.signing_keys import SigningKeys
from qipai.settings import ConfigurationError
from qipai.stores.memory_store import MemoryStore
from qipai.stores.redis.redis_store import RedisStore
from qipai.stores.store_registry import is_migrating
from tests.cluster.operations.test_health_and_metrics import READY, ask, soon
from tests.support.redis import RedisServer
from tests.support.workers import Worker

pytestmark = pytest.mark.slow


def old_worker(redis: RedisServer) -> None:
    """Be seen as a worker of a release that asks nobody whether it may begin."""
    with client.Redis.from_url(redis.address) as other:
        seconds, micros = other.time()
        other.zadd("qipai:workers", {"old": seconds * 1000 + micros // 1000})


def test_an_export_or_import_has_exclusive_use_of_redis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RedisServer(tmp_path) as redis, closing(RedisStore(redis.address)) as store:
        with store.exclusive():
            assert is_migrating(store)
            with pytest.raises(StoreError, match="already"), store.exclusive():
                pytest.fail("two at once")
            assert is_migrating(store)
        assert not is_migrating(store)
        with pytest.raises(StoreError, match="a worker started in the meantime"), store.exclusive():
            old_worker(redis)
        with pytest.raises(StoreError, match="in use by 1 running worker:"), store.exclusive():
            pytest.fail("a worker is there")
        assert not is_migrating(store)
        with client.Redis.from_url(redis.address) as other:
            other.delete("qipai:workers")
        monkeypatch.setattr("qipai.stores.redis.redis_store.EXCLUSIVE_SECONDS", 3)
        with store.exclusive():
            time.sleep(3.5)
            assert is_migrating(store), "it was given up while it was needed"


def test_an_export_that_a_worker_came_into_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with RedisServer(tmp_path) as redis:
        monkeypatch.setenv("QIPAI_STORE", redis.address)
        monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
        honest = export_format.write

        def interrupted(
            store: Store,
            archive: Archive | None,
            target: Path,
            left_out: Callable[[str], None],
            accounts: AccountStore | None,
        ) -> export_format.ExportEnd:
            tail = honest(store, archive, target, left_out, accounts)
            old_worker(redis)
            return tail

        monkeypatch.setattr(export_format, "write", interrupted)
        assert main.main(["export", str(tmp_path / "all.gz")]) == 2
        assert "a worker started in the meantime" in capsys.readouterr().err
        assert not (tmp_path / "all.gz").exists()


def test_workers_on_redis_and_commands_that_move_tables_keep_out_of_each_other_s_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "all.gz")
    export_format.write(MemoryStore(), None, tmp_path / "all.gz")
    with RedisServer(tmp_path) as redis:
        monkeypatch.setenv("QIPAI_STORE", redis.address)
        monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
        with Worker(tmp_path / "worker", redis.address) as worker:
            soon(lambda: ask(worker, "/ready") == READY)
            for command in (["export", str(tmp_path / "other.gz")], ["import", file]):
                assert main.main(command) == 2
                assert "in use by 1 running worker: stop" in capsys.readouterr().err
            assert not (tmp_path / "other.gz").exists()
        assert main.main(["import", file]) == 0
        with closing(RedisStore(redis.address)) as store, store.exclusive():
            late = Worker(tmp_path / "late", redis.address)
            with pytest.raises(
                RuntimeError, match="rooms are being exported from or imported into this store"
            ):
                late.start()
            assert late.wait() == 2
        with Worker(tmp_path / "after", redis.address) as after:
            soon(lambda: ask(after, "/ready") == READY)


def test_a_worker_that_began_while_others_moved_in_does_not_sign_with_the_old_key() -> None:
    store = MemoryStore()
    keys = SigningKeys(store.secret(), wall_clock)
    app._refuse_while_migrating(store, keys)
    store.import_secret(bytes(32))
    with pytest.raises(ConfigurationError, match="imported"):
        app._refuse_while_migrating(store, keys)
