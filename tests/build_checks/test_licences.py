"""`make licences`: the command fails if a shipped dependency is not compatible with AGPL."""

import json
from pathlib import Path

import pytest

from tools.licences import compatible, main


def install(site: Path, name: str, *fields: str, files: dict[str, str] | None = None) -> None:
    """Write a Python package with this metadata into a folder."""
    folder = site / f"{name}-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(
        "\n".join(["Metadata-Version: 2.4", f"Name: {name}", "Version: 1.0", *fields, ""])
    )
    for file, text in (files or {}).items():
        (folder / file).write_text(text)
    (folder / "RECORD").write_text(
        "".join(f"{folder.name}/{file},,\n" for file in ["METADATA", *(files or {})])
    )


def bundle(web: Path, packages: dict[str, dict[str, object]], *direct: str) -> None:
    """Write the source of a page into a folder."""
    for name, package in packages.items():
        folder = web / "node_modules" / name
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps({"version": "1.0", **package}))
    (web / "package.json").write_text(json.dumps({"dependencies": dict.fromkeys(direct, "1.0")}))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    needs = ["good", "good-too", "extra; extra == 'cluster'", "tester; extra == 'test'"]
    install(tmp_path / "site", "qipai", *(f"Requires-Dist: {each}" for each in needs))
    install(tmp_path / "site", "good", "License-Expression: MIT", "Requires-Dist: deep")
    install(tmp_path / "site", "good-too", "Classifier: License :: OSI Approved :: MIT License")
    install(tmp_path / "site", "extra", "License: Apache 2.0")
    install(
        tmp_path / "site", "deep", files={"LICENSE": "Permission is hereby\n  granted, free of charge, to"}
    )
    install(tmp_path / "site", "tester", "License: SSPL-1.0")
    return tmp_path / "site"


@pytest.fixture
def web(tmp_path: Path) -> Path:
    packages: dict[str, dict[str, object]] = {
        "board": {"license": "GPL-3.0-or-later", "dependencies": {"inner": "1.0"}},
        "inner": {"licenses": [{"type": "MIT"}]},
        "socket.io-client": {"license": "MIT"},
        "builder": {"license": "UNLICENSED"},
    }
    bundle(tmp_path / "web", packages, "board")
    return tmp_path / "web"


def run(site: Path, web: Path) -> int:
    return main(["--site", str(site), "--web", str(web)])


def test_the_dependencies_of_this_project_may_be_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0, capsys.readouterr().err
    listed = {tuple(line.split()[:2]) for line in capsys.readouterr().out.splitlines()}
    assert {
        ("run", "picows"),
        ("run", "redis"),
        ("run", "psycopg"),
        ("page", "preact"),
        ("dev", "pytest"),
    } <= listed


def test_all_dependencies_are_listed_with_their_licence_and_use(
    site: Path, web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(site, web) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert [line.split() for line in output.out.splitlines()] == [
        ["run", "deep", "1.0", "MIT"],
        ["run", "extra", "1.0", "Apache-2.0"],
        ["run", "good", "1.0", "MIT"],
        ["run", "good-too", "1.0", "MIT"],
        ["page", "board", "1.0", "GPL-3.0-or-later"],
        ["page", "inner", "1.0", "MIT"],
        ["page", "socket.io-client", "1.0", "MIT"],
        ["dev", "tester", "1.0", "SSPL-1.0"],
    ]


@pytest.mark.parametrize(
    ("field", "licence"),
    [
        ("License-Expression: SSPL-1.0", "SSPL-1.0"),
        ("License-Expression: MIT AND GPL-2.0-only", "MIT AND GPL-2.0-only"),
        ("Classifier: License :: OSI Approved :: GNU General Public License v2 (GPLv2)", "GPL-2.0-only"),
        ("License: ask me", "not known"),
        ("Summary: says nothing of a licence", "not known"),
    ],
)
def test_a_run_time_dependency_that_is_not_compatible_is_one_line_and_a_failure(
    site: Path, web: Path, capsys: pytest.CaptureFixture[str], field: str, licence: str
) -> None:
    install(site, "bad", field)
    good = site / "good-1.0.dist-info" / "METADATA"
    good.write_text(good.read_text().rstrip("\n") + "\nRequires-Dist: bad\n")
    assert run(site, web) == 1
    assert capsys.readouterr().err == f"licences: bad 1.0: {licence} is not compatible with AGPL\n"


def test_a_package_in_the_page_that_is_not_compatible_is_a_failure(
    site: Path, web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (web / "node_modules" / "inner" / "package.json").write_text(
        '{"version": "2.0", "license": "CC-BY-NC-4.0"}'
    )
    assert run(site, web) == 1
    assert capsys.readouterr().err == "licences: inner 2.0: CC-BY-NC-4.0 is not compatible with AGPL\n"


@pytest.mark.parametrize(
    ("expression", "fits"),
    [
        ("MIT", True),
        ("(MIT OR SSPL-1.0) AND Apache-2.0", True),
        ("MIT AND (SSPL-1.0 OR GPL-2.0-only)", False),
        ("GPL-2.0-only OR MIT", True),
        ("GPL-3.0-or-later WITH Classpath-exception-2.0", True),
        ("BSD-4-Clause", False),
        ("(MIT", False),
        ("MIT MIT", False),
        ("", False),
    ],
)
def test_an_expression_is_compatible_if_one_of_its_choices_is(expression: str, fits: bool) -> None:
    assert compatible(expression) is fits
