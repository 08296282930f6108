"""What the SQL archives are asked: searches, and the results of persons."""

from typing import Any, Final

from qipai.hall.history.archive_interface import LAST_RESULTS, MOST_COUNTED, GameFilter, search_name

Statement = tuple[str, list[Any]]
"""SQL with the placeholder `?`, and its values."""
_SELECT_GAMES: Final = (
    "select g.room, g.match, g.public, g.game, g.ended, g.summary, g.checksum from finished_games g"
)
_OF_PERSON: Final = """
    select game, twist, against, result, ended, room, match from game_persons
    where person = ?{public} order by ended desc, room desc, match desc limit ?"""
"""The last games of a person."""
_OF_BOTH: Final = """
    from ({of_person}) o join game_persons v
        on v.person = ? and v.ended = o.ended and v.room = o.room and v.match = o.match
    where o.result <> '' and v.result <> ''"""
_RESULTS_OF_BOTH: Final = f"select o.result, v.result, count(*) {_OF_BOTH} group by o.result, v.result"
_LAST_OF_BOTH: Final = f"""
    select o.result, v.result {_OF_BOTH}
    order by o.ended desc, o.room desc, o.match desc limit {LAST_RESULTS}"""
_OPPONENT_NAMED: Final = """exists (select 1 from game_players v
    where v.name = ? and v.public = o.public and v.ended = o.ended and v.room = o.room
        and v.match = o.match)"""
_OPPONENT_PERSON: Final = """exists (select 1 from game_persons v
    where v.person = ? and v.ended = o.ended and v.room = o.room and v.match = o.match)"""


def results_query(person: str, *, public_only: bool) -> Statement:
    """Return the SQL for the games of a person, the latest first, with the columns of `_OF_PERSON`."""
    return _of_person("{of_person}", person, public_only=public_only)


def head_to_head_query(person: str, other: str, *, public_only: bool) -> Statement:
    """Return the SQL for the numbers of games of two persons, by the results of both."""
    sql, values = _of_person(_RESULTS_OF_BOTH, person, public_only=public_only)
    return sql, [*values, other]


def last_results_query(person: str, other: str, *, public_only: bool) -> Statement:
    """Return the SQL for the last results of two persons in the same games."""
    sql, values = _of_person(_LAST_OF_BOTH, person, public_only=public_only)
    return sql, [*values, other]


def _of_person(sql: str, person: str, *, public_only: bool) -> Statement:
    of_person = _OF_PERSON.format(public=" and public = ?" if public_only else "")
    values = [person, *([True] if public_only else []), MOST_COUNTED]
    return sql.format(of_person=of_person), values


def search_query(wanted: GameFilter) -> Statement:
    """Return the SQL of a search and its values; an index has the rows of every search in their order."""
    sql, table = _SELECT_GAMES, "g"
    conditions: list[str] = []
    values: list[Any] = []
    if wanted.player:
        sql, table = f"{sql} join game_players p on p.room = g.room and p.match = g.match", "p"
        conditions.append("p.name = ?")
        values.append(search_name(wanted.player))
    if wanted.person:
        sql, table = f"{sql} join game_persons o on o.room = g.room and o.match = g.match", "o"
        conditions.append("o.person = ?")
        values.append(wanted.person)
        _add_conditions_of_person(wanted, conditions, values)
    else:
        conditions.append(f"{table}.public = ?")
        values.append(True)
    if wanted.game:
        conditions.append(f"{table}.game = ?")
        values.append(wanted.game)
    if wanted.since is not None:
        conditions.append(f"{table}.ended >= ?")
        values.append(wanted.since)
    if wanted.until is not None:
        conditions.append(f"{table}.ended < ?")
        values.append(wanted.until)
    key = f"{table}.ended, {table}.room, {table}.match"
    if wanted.after is not None:
        conditions.append(f"({key}) < (?, ?, ?)")
        values += wanted.after
    order = key.replace(",", " desc,") + " desc"
    return f"{sql} where {' and '.join(conditions)} order by {order} limit ?", [*values, wanted.limit]


def _add_conditions_of_person(wanted: GameFilter, conditions: list[str], values: list[Any]) -> None:
    """Add what a search for games of a person asks for besides; `o` is the row of the person."""
    columns = {"twist": wanted.twist, "result": wanted.result, "against": wanted.against}
    for column, value in columns.items():
        if value:
            conditions.append(f"o.{column} = ?")
            values.append(str(value))
    if wanted.public_only:
        conditions.append("o.public = ?")
        values.append(True)
    if wanted.opponent:
        conditions.append(_OPPONENT_NAMED)
        values.append(search_name(wanted.opponent))
    if wanted.opponent_person:
        conditions.append(_OPPONENT_PERSON)
        values.append(wanted.opponent_person)
