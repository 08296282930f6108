/** List of finished games, searched by player and game. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { GameIcon } from "../common/GameIcon";
import { gameName, language, texts } from "../i18n/language";
import { fetchFinishedGames, gameResult, PAGE_SIZE, winnersOf, type FinishedGame, type GameFilter } from "./finishedGamesApi";
import { retryingFetch } from "../net/retryingFetch";
import { href } from "../app/route";
import { PlayerLink } from "../profile/PlayerLink";
import { playableGames } from "../lobby/chosenGame";
import "./styles/finished-games.css";

interface SearchResult {
  games: readonly FinishedGame[];
  state: "looking" | "failed" | "there";
  /** Seconds until a busy server is asked again; 0 if it is not busy. */
  wait: number;
  more: boolean;
  /** The filter of this result; the fields may have changed since. */
  filter: GameFilter;
}

const NO_FILTER: GameFilter = { player: "", game: "" };

export function FinishedGames() {
  const { title, hint, loading, failed, none, notFound, more } = texts.value.finishedGames;
  const shown = useSignal<SearchResult>({ games: [], state: "looking", wait: 0, more: false, filter: NO_FILTER });
  const leaving = useRef(new AbortController());
  const look = async (filter: GameFilter, before: readonly FinishedGame[] = []) => {
    // A newer search replaces this one.
    leaving.current.abort();
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    const requested: SearchResult = { games: before, state: "looking", wait: 0, more: false, filter };
    shown.value = requested;
    const ask = retryingFetch((wait) => (shown.value = { ...requested, wait }), signal);
    const found = await fetchFinishedGames(filter, before.at(-1), ask);
    if (signal.aborted) return;
    if (found === null) shown.value = { ...requested, state: "failed" };
    else shown.value = { ...requested, state: "there", games: [...before, ...found], more: found.length === PAGE_SIZE };
  };
  useEffect(() => {
    void look(NO_FILTER);
    return () => leaving.current.abort();
  }, []);
  const { games, state, wait, filter } = shown.value;
  return (
    <section class="finished-games" aria-labelledby="finished-games-title">
      <h1 id="finished-games-title">{title}</h1>
      <p class="soft">{hint}</p>
      <SearchForm onSearch={(wanted) => void look(wanted)} />
      <ol class="finished-games-list">
        {games.map((game) => (
          <FinishedGameRow key={`${game.room}/${game.match}`} game={game} />
        ))}
      </ol>
      <p class="soft finished-games-note" role="status">
        {wait > 0 ? texts.value.replay.busy(wait) : state === "looking" ? loading : state === "failed" ? failed : games.length > 0 ? "" : filter.player || filter.game ? notFound : none}
      </p>
      {(shown.value.more || state === "failed") && (
        <button onClick={() => void look(filter, games)}>{state === "failed" ? texts.value.replay.retry : more}</button>
      )}
    </section>
  );
}

function SearchForm({ onSearch }: { onSearch: (filter: GameFilter) => void }) {
  const { player, search, all, game } = texts.value.finishedGames;
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData((event.currentTarget as HTMLElement).closest("form")!);
    onSearch({ player: String(form.get("player") ?? ""), game: String(form.get("game") ?? "") });
  };
  return (
    <form class="finished-games-search" role="search" onSubmit={submit}>
      <input name="player" aria-label={player} placeholder={player} maxLength={40} autocomplete="off" />
      <select name="game" aria-label={game} onChange={submit}>
        <option value="">{all}</option>
        {playableGames().map((card) => (
          <option key={card.name} value={card.name}>
            {gameName(card.name)}
          </option>
        ))}
      </select>
      <button>{search}</button>
    </form>
  );
}

function FinishedGameRow({ game }: { game: FinishedGame }) {
  const { watch, moves } = texts.value.finishedGames;
  const day = new Date(game.ended);
  const winners = winnersOf(game);
  return (
    <li class="row">
      <span class="row-icon"><GameIcon game={game.game} /></span>
      <div class="row-names">
        {game.names.map((_, seat) => (
          <span key={seat} class={winners.includes(seat) ? "finished-games-winner" : ""}>
            <PlayerLink game={game} seat={seat} />
          </span>
        ))}
      </div>
      <div class="row-facts soft">
        <span class="row-game">{gameName(game.game)}</span>
        <span>{gameResult(game)}</span>
        <span>{moves(game.moves)}</span>
        {game.title && <bdi title={game.title}>{game.title}</bdi>}
        <time dateTime={day.toISOString()}>
          {day.toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" })}
        </time>
      </div>
      <div class="row-links">
        <a class="button" href={href({ at: "game", room: game.room, match: game.match })}>
          {watch}
        </a>
      </div>
    </li>
  );
}
