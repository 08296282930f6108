/** The list of finished games, searched by player and game. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { partsOf } from "../games/boards";
import { botCard, gameName, language, listed, reasonText, words } from "../i18n";
import { text } from "../i18n/past";
import { fetchPast, PAGE, type Past, type Wish } from "../past";
import { href } from "../route";
import type { Seat } from "../wire";
import { playable } from "./picker";

interface Shown {
  games: readonly Past[];
  state: "looking" | "lost" | "there";
  more: boolean;
  /** What was asked for, which the fields may have left behind. */
  wish: Wish;
}

const EVERYTHING: Wish = { player: "", game: "" };

export function PastGames() {
  const { title, hint, loading, lost, none, nobody, more } = text.value;
  const shown = useSignal<Shown>({ games: [], state: "looking", more: false, wish: EVERYTHING });
  const look = async (wish: Wish, before: readonly Past[] = []) => {
    const asked: Shown = { games: before, state: "looking", more: false, wish };
    shown.value = asked;
    const found = await fetchPast(wish, before.at(-1));
    // Whoever asked again meanwhile wants the other answer.
    if (shown.value !== asked) return;
    if (found === null) shown.value = { ...asked, state: "lost" };
    else shown.value = { ...asked, state: "there", games: [...before, ...found], more: found.length === PAGE };
  };
  useEffect(() => void look(EVERYTHING), []);
  const { games, state, wish } = shown.value;
  return (
    <section class="past" aria-labelledby="past-title">
      <h1 id="past-title">{title}</h1>
      <p class="soft">{hint}</p>
      <Search onSearch={(wanted) => void look(wanted)} />
      <ol class="past-list">
        {games.map((game) => (
          <Line key={`${game.room}/${game.match}`} past={game} />
        ))}
      </ol>
      <p class="soft past-note" role="status">
        {state === "looking" ? loading : state === "lost" ? lost : games.length > 0 ? "" : wish.player || wish.game ? nobody : none}
      </p>
      {(shown.value.more || state === "lost") && (
        <button onClick={() => void look(wish, games)}>{state === "lost" ? words.value.replay.retry : more}</button>
      )}
    </section>
  );
}

function Search({ onSearch }: { onSearch: (wish: Wish) => void }) {
  const { player, search, all, game } = text.value;
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData((event.currentTarget as HTMLElement).closest("form")!);
    onSearch({ player: String(form.get("player") ?? ""), game: String(form.get("game") ?? "") });
  };
  return (
    <form class="past-search" role="search" onSubmit={submit}>
      <input name="player" aria-label={player} placeholder={player} maxLength={40} autocomplete="off" />
      <select name="game" aria-label={game} onChange={submit}>
        <option value="">{all}</option>
        {playable().map((card) => (
          <option key={card.name} value={card.name}>
            {gameName(card.name)}
          </option>
        ))}
      </select>
      <button>{search}</button>
    </form>
  );
}

function Line({ past }: { past: Past }) {
  const { watch, computer, moves, won, drawn } = text.value;
  const parts = partsOf(past.game);
  const day = new Date(past.ended);
  const nameAt = (seat: Seat) => (past.bots[seat] ? botCard(past.bots[seat]).name : (past.names[seat] ?? ""));
  const winners = past.winners.map(nameAt).filter(Boolean);
  const reason = reasonText(past.reason);
  return (
    <li class="row">
      <span class="row-emblem">{parts && <parts.Emblem />}</span>
      <div class="row-names">
        {past.names.map((_, seat) => (
          <span key={seat} class={past.winners.includes(seat) ? "past-winner" : ""}>
            <bdi>{nameAt(seat)}</bdi>
            {past.bots[seat] && <small class="soft"> {computer}</small>}
          </span>
        ))}
      </div>
      <div class="row-facts soft">
        <span class="row-game">{gameName(past.game)}</span>
        <span>
          {winners.length > 0 ? won(listed(winners)) : drawn}
          {reason && ` (${reason})`}
        </span>
        <span>{moves(past.moves)}</span>
        {past.title && <bdi>{past.title}</bdi>}
        <time dateTime={day.toISOString()}>
          {day.toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" })}
        </time>
      </div>
      <div class="row-doors">
        <a class="button" href={href({ at: "game", room: past.room, match: past.match })}>
          {watch}
        </a>
      </div>
    </li>
  );
}
