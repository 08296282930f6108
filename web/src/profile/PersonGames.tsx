/** The finished games of a person, with filters. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../i18n/language";
import type { ProfileTexts } from "../i18n/types/profile";
import { retryingFetch } from "../net/retryingFetch";
import { isConnected, state as session } from "../net/session";
import { PAGE_SIZE } from "../replay/finishedGamesApi";
import { DownloadGames } from "./DownloadGames";
import { GameFilters } from "./GameFilters";
import { PersonGameRow } from "./PersonGameRow";
import { ALL_GAMES, fetchPersonGames, type PersonGame, type PersonGameFilter, type ResultCount } from "./profileApi";

interface PersonGamesProps {
  text: ProfileTexts;
  /** Whose games; empty for those of the user. */
  name: string;
  /** Whether they are the games of the user. */
  own: boolean;
  /** What the person has played; the games that were shown, if it is not known. */
  results?: readonly ResultCount[];
  title: string;
  /** What is said if there are no games. */
  none: string;
  /** A way on if there are no games. */
  wayOn?: ComponentChildren;
  /** A change means that there are more games. */
  ended?: string;
  /** Called with the opponent of the games that are shown; empty for all. */
  onOpponent?: (name: string) => void;
}

interface Found {
  games: readonly PersonGame[];
  state: "looking" | "failed" | "there";
  wait: number;
  more: boolean;
}

export function PersonGames({ text, name, own, results, title, none, wayOn, ended = "", onOpponent }: PersonGamesProps) {
  const filter = useSignal<PersonGameFilter>(ALL_GAMES);
  const found = useSignal<Found>({ games: [], state: "looking", wait: 0, more: false });
  const seen = useSignal<readonly ResultCount[]>([]);
  const leaving = useRef(new AbortController());
  const look = async (before: readonly PersonGame[] = []) => {
    // A newer search replaces this one.
    leaving.current.abort();
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    const requested: Found = { games: before, state: "looking", wait: 0, more: false };
    found.value = requested;
    const ask = retryingFetch((wait) => (found.value = { ...requested, wait }), signal);
    const page = await fetchPersonGames(name, filter.value, before.at(-1), ask);
    if (signal.aborted) return;
    if (typeof page !== "string") seen.value = [...seen.value, ...page.map(({ game, twist }): ResultCount => [game, twist, "", "", 1])];
    found.value = typeof page === "string" ? { ...requested, state: "failed" } : { ...requested, state: "there", games: [...before, ...page], more: page.length === PAGE_SIZE };
  };
  const connected = isConnected.value;
  useEffect(() => {
    // Who asks is known with the connection.
    if (connected) void look();
    return () => leaving.current.abort();
  }, [name, own, connected, ended]);
  const change = (wanted: PersonGameFilter) => {
    filter.value = wanted;
    onOpponent?.(wanted.opponent.trim() && wanted.opponent !== session.value.name ? wanted.opponent.trim() : "");
    void look();
  };
  const { finishedGames, replay } = texts.value;
  const { games, state, wait, more } = found.value;
  const isFiltered = filter.value !== ALL_GAMES;
  return (
    <section class="person-games" aria-labelledby="person-games-title">
      <div class="person-games-head">
        <h2 id="person-games-title">{title}</h2>
        {own && seen.value.length > 0 && <DownloadGames text={text} />}
      </div>
      <GameFilters text={text} results={results ?? seen.value} filter={filter.value} withYou={own ? "" : session.value.name} onChange={change} />
      <ol class="person-games-list" aria-busy={state === "looking"}>
        {games.map((game) => (
          <PersonGameRow key={`${game.room}/${game.match}`} text={text} game={game} />
        ))}
      </ol>
      <p class="soft person-games-note" role="status">
        {wait > 0 ? replay.busy(wait) : state === "looking" ? finishedGames.loading : state === "failed" ? finishedGames.failed : games.length > 0 ? "" : isFiltered ? text.noneFound : none}
      </p>
      {state === "there" && games.length === 0 && !isFiltered && wayOn}
      {(more || state === "failed") && <button onClick={() => void look(games)}>{state === "failed" ? replay.retry : finishedGames.more}</button>}
    </section>
  );
}
