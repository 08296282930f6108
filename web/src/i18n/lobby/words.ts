/** What the lobby says, and what is asked and told before a game begins. */

type Count = (count: number) => string;
type Named = (name: string) => string;

export interface LobbyWords {
  card: {
    /** People who would be met at once. */
    waiting: Count;
    /** Tables of the list that wait, but not for just anybody. */
    special: Count;
    playing: Count;
    nobody: string;
    quickOf: Named;
  };
  ways: {
    friend: string;
    computer: string;
    level: string;
    createHint: string;
  };
  list: {
    filter: string;
    all: string;
    waited: (minutes: number) => string;
    gone: string;
    /** Two or more. */
    free: Count;
    computer: string;
    /** Two or more. */
    bots: Count;
    away: string;
    delayed: (seconds: number) => string;
  };
  empty: {
    title: string;
    titleOf: Named;
    hint: string;
    computer: Named;
    friend: string;
  };
  yours: {
    seat: string;
    waiting: (game: string, time: string) => string;
    stop: string;
  };
  invite: {
    title: string;
    scan: string;
    picture: string;
    share: string;
    shareText: (game: string) => string;
    waited: (time: string) => string;
    short: string;
    /** Where nobody else can follow the link, and what to do about that. */
    local: string;
    elsewhere: string;
  };
  house: {
    title: string;
    listed: string;
    unlisted: string;
    watchers: string;
    delay: string;
    noDelay: string;
    /** In seconds; whole minutes are told as such. */
    time: (seconds: number) => string;
    takebacks: string;
    away: string;
    awayWait: string;
    awayBot: string;
    awayForfeit: string;
    standin: string;
    after: string;
    /** The same in two or three words, for a line that sums it up. */
    brief: {
      noWatchers: string;
      delay: (time: string) => string;
      noTakebacks: string;
      wait: string;
      bot: string;
      forfeit: (time: string) => string;
    };
  };
}
