/** Texts of the lobby, English. */

import type { LobbyTexts } from "../types/lobby";

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const time = (seconds: number) => (seconds % 60 ? `${seconds} s` : `${seconds / 60} min`);

export const lobby: LobbyTexts = {
  lobby: {
    game: "Game",
    online: (count) => `${count} online`,
    quick: "Quick match",
    create: "Create a table",
    join: "Join by code",
    joinHint: "Enter the code of a table",
    code: "Code",
    go: "Join",
    tables: "Tables",
    loading: "Loading tables…",
    youHaveSeat: "You have a seat at a table.",
    backToTable: "Back to the table",
    sit: "Join",
    watch: "Watch",
    emptySeat: "open seat",
    spectators: (count) => plural(count, "spectator", "spectators"),
    phase: { waiting: "waiting", playing: "playing", over: "finished", closed: "closed" },
  },
  gameCard: {
    waiting: (count) => `${count} waiting`,
    otherTables: (count) => `${count} waiting below`,
    playing: (count) => (count === 1 ? "1 game" : `${count} games`),
    noTables: "No tables yet",
    failed: "Not loaded",
    quickOf: (game) => `Quick match: ${game}`,
  },
  playButtons: {
    friend: "Play with a friend",
    computer: "Play the computer",
    level: "Level",
    createHint: "Choose rules and clock",
  },
  tableList: {
    filter: "Filter",
    all: "All",
    waited: (minutes) => (minutes < 1 ? "waiting" : `waiting ${minutes} min`),
    closed: "closed",
    emptySeats: (count) => `${count} open seats`,
    computer: "bot",
    bots: (count) => `${count} bots`,
    away: "away",
    delayed: (seconds) => `${time(seconds)} delay`,
    seesHidden: "hidden information may be seen",
  },
  emptyList: {
    title: "No games in progress.",
    titleOf: (game) => `No ${game} tables yet.`,
    hint: "Create one: the next visitor will see it here.",
    computer: (game) => `${game} against the computer`,
    friend: "Invite a friend",
  },
  yourTables: {
    seat: "You have a seat",
    waiting: (game, waited) => `Waiting for a player: ${game}, ${waited}`,
    stop: "Stop waiting",
  },
  invite: {
    title: "Invite players",
    scan: "Scan with a phone",
    picture: "QR code of the link to this table",
    share: "Share…",
    shareText: (game) => `Join me for a game of ${game}.`,
    waited: (waited) => `Waiting: ${waited}`,
    short: "Table code:",
    local: "Works on this computer only",
    elsewhere: "To let others join, start the server with HOST=0.0.0.0 and open this page at the address that it lists as “network”.",
  },
};
