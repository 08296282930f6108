import type { LobbyWords } from "./words";

const time = (seconds: number) => (seconds % 60 ? `${seconds} s` : `${seconds / 60} min`);

export const lobbyEn: LobbyWords = {
  card: {
    waiting: (count) => `${count} waiting`,
    playing: (count) => `${count} playing`,
    nobody: "Be the first",
    quickOf: (game) => `Quick match: ${game}`,
  },
  ways: {
    friend: "Play a friend",
    computer: "Play the computer",
    level: "Level",
    createHint: "Your rules, your clock",
  },
  list: {
    filter: "Show",
    all: "All",
    waited: (minutes) => (minutes < 1 ? "waiting" : `waiting ${minutes} min`),
    gone: "gone",
    free: (count) => `${count} free seats`,
    computer: "computer",
    bots: (count) => `${count} computers`,
    away: "away",
    delayed: (seconds) => `shown ${time(seconds)} later`,
  },
  empty: {
    title: "No game is on at the moment.",
    titleOf: (game) => `No table of ${game} at the moment.`,
    hint: "Start one: whoever comes next will see it here.",
    computer: (game) => `${game} against the computer`,
    friend: "Invite a friend",
  },
  yours: {
    seat: "You have a seat",
    waiting: (game, waited) => `Waiting for somebody: ${game}, ${waited}`,
    stop: "Stop waiting",
  },
  invite: {
    title: "Invite somebody",
    scan: "Point a phone's camera at it",
    picture: "QR code of the link to this table",
    share: "Share…",
    shareText: (game) => `Join me for a game of ${game}.`,
    waited: (waited) => `Waiting for ${waited}`,
    short: "or say the code:",
  },
  house: {
    title: "House rules",
    listed: "In the lobby",
    unlisted: "By link or code only",
    watchers: "Watchers are welcome",
    delay: "Watchers see it",
    noDelay: "at once",
    time,
    takebacks: "Moves may be taken back, if the other agrees",
    away: "When somebody is cut off",
    awayWait: "The game waits",
    awayBot: "Computer stands in",
    awayForfeit: "Loses after",
    standin: "Which computer",
    after: "After",
    brief: {
      noWatchers: "no watchers",
      delay: (late) => `watchers ${late} behind`,
      noTakebacks: "no takebacks",
      wait: "waits for who is gone",
      bot: "computer stands in",
      forfeit: (late) => `loses if gone ${late}`,
    },
  },
};
