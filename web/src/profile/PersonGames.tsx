/** The finished games of a person, with filters. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../i18n/language";
import type { ProfileTexts } from "../i18n/types/profile";
import { retryingFetch } from "../net/retryingFetch";
import { state as session } from "../net/session";
import { PAGE_SIZE } from "../replay/finishedGamesApi";
import { GameFilters } from "./GameFilters";
import { PersonGameRow } from "./PersonGameRow";
import { ALL_GAMES, fetchPersonGames, type PersonGame, type PersonGameFilter, type Profile } from "./profileApi";

interface PersonGamesProps {
  text: ProfileTexts;
  name: string;
  profile: Profile;
  /** Called with the account whose games with this person are shown; empty for all. */
  onOpponent: (name: string) => void;
}

interface Found {
  games: readonly PersonGame[];
  state: "looking" | "failed" | "there";
  wait: number;
  more: boolean;
}

export function PersonGames({ text, name, profile, onOpponent }: PersonGamesProps) {
  const filter = useSignal<PersonGameFilter>(ALL_GAMES);
  const found = useSignal<Found>({ games: [], state: "looking", wait: 0, more: false });
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
    found.value = typeof page === "string" ? { ...requested, state: "failed" } : { ...requested, state: "there", games: [...before, ...page], more: page.length === PAGE_SIZE };
  };
  useEffect(() => {
    void look();
    return () => leaving.current.abort();
  }, [name, profile.you]);
  const change = (wanted: PersonGameFilter) => {
    filter.value = wanted;
    onOpponent(wanted.opponent.trim() && wanted.opponent !== session.value.name ? wanted.opponent.trim() : "");
    void look();
  };
  const { finishedGames, replay } = texts.value;
  const { games, state, wait, more } = found.value;
  const isFiltered = filter.value !== ALL_GAMES;
  return (
    <section class="person-games" aria-labelledby="person-games-title">
      <h2 id="person-games-title">{text.games}</h2>
      <GameFilters text={text} results={profile.results} filter={filter.value} withYou={profile.you ? "" : session.value.name} onChange={change} />
      <ol class="person-games-list" aria-busy={state === "looking"}>
        {games.map((game) => (
          <PersonGameRow key={`${game.room}/${game.match}`} text={text} game={game} />
        ))}
      </ol>
      <p class="soft person-games-note" role="status">
        {wait > 0 ? replay.busy(wait) : state === "looking" ? finishedGames.loading : state === "failed" ? finishedGames.failed : games.length > 0 ? "" : isFiltered ? text.noneFound : text.noGames}
      </p>
      {(more || state === "failed") && <button onClick={() => void look(games)}>{state === "failed" ? replay.retry : finishedGames.more}</button>}
    </section>
  );
}
