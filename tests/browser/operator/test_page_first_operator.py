"""A new server has no operator: the code of its start makes one, on the account page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.server.operators.desk import first_code
from tests.support.server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    data: Path = tmp_path_factory.mktemp("new") / "data"
    with ServerProcess(data) as process:
        yield process
        assert process.errors == []


@pytest.fixture(scope="module")
def address(server: ServerProcess) -> str:
    return f"http://127.0.0.1:{server.port}"


def test_the_code_of_the_start_makes_the_first_operator(visitor: Visitor, server: ServerProcess) -> None:
    code = first_code(server)
    ada = visitor("/account")
    ada.expect_trouble()
    form = ada.page.get_by_role("region", name="Create an account")
    form.get_by_label("Name", exact=True).fill("Ada First")
    form.get_by_label("New password").fill("correct horse battery staple")
    form.get_by_role("button", name="Create account", exact=True).click()
    ada.press("I have saved them")
    panel = ada.page.get_by_role("region", name="Running this server")
    panel.get_by_label("Code").fill("not the code")
    panel.get_by_role("button", name="Become operator").click()
    expect(panel.get_by_role("alert")).to_contain_text("This code is wrong")
    panel.get_by_label("Code").fill(code)
    panel.get_by_role("button", name="Become operator").click()
    panel.get_by_role("link", name="Operator's desk").click()
    expect(ada.page.get_by_role("navigation", name="Operator's desk")).to_be_visible()
