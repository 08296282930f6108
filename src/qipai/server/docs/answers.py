"""The JSON answers of the HTTP API as types. A test compares them with what a server answers."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from qipai.hall.moderation.report_interface import ReportKind
from qipai.hall.moderation.sanction_interface import SanctionKind
from qipai.hall.relations.relation_interface import ChallengesFrom
from qipai.kernel.ids import Millis, RoomId, Seat

from .api_token_answers import ApiTokenRow
from .sign_in_answers import IdentityRow, OwnProvider, PasskeyRow


class Done(Struct, frozen=True):
    """The request was carried out: an empty object."""


class HttpError(Struct, frozen=True):
    """The answer to a refused request: a code from routes of accounts, a line of English from all others.

    `about`: why a password is weak, when a name may be changed again, what a provider calls a newcomer, or
    what is malformed.
    """

    error: str
    about: str | UnsetType = UNSET


class SignedInAccount(Struct, frozen=True):
    """A device was signed in; its secret is the cookie `qipai_session`. Codes are shown only once."""

    name: str
    recovery_codes: tuple[str, ...]


class AccountName(Struct, frozen=True):
    """The name of an account."""

    name: str


class NewRecoveryCodes(Struct, frozen=True):
    """Recovery codes, which are shown only once."""

    recovery_codes: tuple[str, ...]


class DeviceRow(Struct, frozen=True):
    """A device that is signed in; `this`: the one that asks. `device`: what it calls itself."""

    id: str
    device: str
    created: Millis
    used: Millis
    this: bool


class RelatedPlayer(Struct, frozen=True):
    """A player whom you follow or have blocked, and since when."""

    name: str
    since: Millis


class TableOfPlayer(Struct, frozen=True):
    """A public table where a player is."""

    room: RoomId
    game: str
    does: Literal["plays", "waits", "watches"]


class FollowedPlayer(RelatedPlayer, frozen=True):
    """A player whom you follow. Players who are invisible are not `online`; `table`: null if at none."""

    online: bool
    table: TableOfPlayer | None


class Following(Struct, frozen=True):
    """The players whom you follow: those who are online first, then by name."""

    followed: tuple[FollowedPlayer, ...]


class RelationToPlayer(Struct, frozen=True):
    """What you are to a player. Only those who follow learn whether a player is online.

    `takes_challenges`: whether the player takes challenges at all, not whether yours is seen.
    """

    followed: bool
    blocked: bool
    takes_challenges: bool
    online: bool
    table: TableOfPlayer | None


class AccountData(Struct, frozen=True):
    """What is stored of an account, without secrets. `renamed`: when the name was last changed.

    `role`: `operator`, `moderator` or empty. `invisible`: shown as offline to everybody.
    `challenges_from`: whose challenges are taken.
    `bot`: whether it is a bot account.
    """

    name: str
    created: Millis
    renamed: Millis | None
    recovery_codes_left: int
    has_password: bool
    passkeys: tuple[PasskeyRow, ...]
    identities: tuple[IdentityRow, ...]
    devices: tuple[DeviceRow, ...]
    followed: tuple[RelatedPlayer, ...]
    blocked: tuple[RelatedPlayer, ...]
    invisible: bool
    challenges_from: ChallengesFrom
    role: str
    bot: bool
    api_tokens: tuple[ApiTokenRow, ...]


class OwnAccount(AccountData, frozen=True):
    """An account as its owner sees it. `operator_code`: whether the code of the start is accepted here."""

    operator_code: bool
    openid: OwnProvider | None


class OwnRole(Struct, frozen=True):
    """The role that you have now."""

    role: str


class OwnSanction(Struct, frozen=True):
    """A sanction of an account; `ends` is null for good, `lifted` null if it was not lifted."""

    id: int
    kind: SanctionKind
    reason: str
    made: Millis
    ends: Millis | None
    lifted: Millis | None


class OwnReport(Struct, frozen=True):
    """A report or an appeal that you wrote."""

    at: Millis
    kind: ReportKind
    room: str
    text: str


class OwnAccountFile(AccountData, frozen=True):
    """An account as its owner downloads it. `person`: the random id by which games know it."""

    person: str


class GameRow(Struct, frozen=True):
    """A finished game. `bots` has the bot of each seat, empty for a person.

    `bot_accounts`: the seats of bot accounts. `profiles` has the present names of those who have accounts, by
    seat. `after` of the next page is
    `ended-room-match` of the last row.
    """

    room: RoomId
    match: int
    game: str
    title: str
    public: bool
    began: Millis
    ended: Millis
    names: tuple[str, ...]
    bots: tuple[str, ...]
    winners: tuple[Seat, ...]
    reason: str
    moves: int
    twist: str
    bot_accounts: tuple[Seat, ...]
    profiles: tuple[str, ...]


class PersonGameRow(GameRow, frozen=True):
    """A finished game of a person; `seat`: where the person sat, null if it was not at the start."""

    seat: Seat | None


class GameList(Struct, frozen=True):
    """Finished games, the latest first."""

    games: tuple[GameRow, ...]


class PersonGameList(Struct, frozen=True):
    """Finished games of a person, the latest first."""

    games: tuple[PersonGameRow, ...]


class FiledGame(Struct, frozen=True):
    """A finished game in the file of an account. `replay`: the path of its replay."""

    room: RoomId
    match: int
    game: str
    title: str
    public: bool
    began: Millis
    ended: Millis
    names: tuple[str, ...]
    bots: tuple[str, ...]
    winners: tuple[Seat, ...]
    reason: str
    moves: int
    replay: str


class AccountFile(Struct, frozen=True):
    """What the server stores of an account, and the list of its finished games."""

    account: OwnAccountFile
    games: tuple[FiledGame, ...]
    sanctions: tuple[OwnSanction, ...]
    reports: tuple[OwnReport, ...]


class Streak(Struct, frozen=True):
    """How many of the last games ended with the same result; both are empty without one."""

    result: str
    games: int


class Profile(Struct, frozen=True):
    """The profile of an account. `results` has rows of game, twist, opponents, result and number of games.

    `you`: whether it is yours. `relation`: null if it is yours, or for guests. `bot`: whether it is
    a bot account.
    """

    name: str
    created: Millis
    bot: bool
    you: bool
    results: tuple[tuple[str, str, str, str, int], ...]
    longest_wins: int
    streak: Streak
    relation: RelationToPlayer | None


class HeadToHeadResults(Struct, frozen=True):
    """Games of two persons, from the view of the first; `last`: the last results, the latest first."""

    won: int
    lost: int
    drawn: int
    last: tuple[str, ...]


class RatingRow(Struct, frozen=True):
    """The rating of an account in a category. `change`: by the last game.

    `curve` has pairs of time and rating, the oldest first.
    """

    category: str
    rating: float
    deviation: float
    provisional: bool
    games: int
    last: Millis
    change: float
    curve: tuple[tuple[Millis, float], ...]


class AccountRatings(Struct, frozen=True):
    """The ratings of an account in all categories in which it has played."""

    name: str
    ratings: tuple[RatingRow, ...]


class Leader(Struct, frozen=True):
    """A player of a leaderboard."""

    name: str
    rating: float
    deviation: float
    provisional: bool
    games: int
    last: Millis


class Leaderboard(Struct, frozen=True):
    """The best players of a category.

    `distribution` has pairs of the rating at which a bucket begins and the number of its players; `bucket` is
    the width of each.
    """

    category: str
    players: tuple[Leader, ...]
    bucket: int
    distribution: tuple[tuple[int, int], ...]


class RankedCategory(Struct, frozen=True):
    """A rating category, and how many players its leaderboard counts."""

    category: str
    players: int


class RankedCategories(Struct, frozen=True):
    """All rating categories, in the order of the games."""

    categories: tuple[RankedCategory, ...]


class MatchRatingChange(Struct, frozen=True):
    """What a rated match changed for the player of a seat."""

    seat: Seat
    name: str
    before: float
    after: float
    change: float
    deviation: float
    provisional: bool


class MatchRatings(Struct, frozen=True):
    """What a rated match changed; `category` is empty, and so is the list, if it did not count or not yet."""

    category: str
    changes: tuple[MatchRatingChange, ...]
