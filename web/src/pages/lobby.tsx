/** The lobby: ways to play, and who is playing. */

import { useSignal } from "@preact/signals";
import { partsOf } from "../games/boards";
import { CreateDialog } from "../parts/create";
import { chosenGame, Picker, playable } from "../parts/picker";
import { Tables } from "../parts/tables";
import { botCard, gameName, words } from "../i18n";
import { go, href, tidyCode } from "../route";
import { awaited, isUp, openTable, quickMatch, state } from "../session";
import { yourTurn } from "../turn";
import type { GameCard, GameName } from "../wire";

/** Bots that have a button each. */
const FEW = 4;

export function LobbyPage() {
  const { lobby, line, replay, tagline } = words.value;
  const card = chosenGame();
  const More = card && partsOf(card.name)?.More;
  return (
    <div class="lobby">
      <div class="lobby-head">
        <h1>{tagline}</h1>
        <div class="soft lobby-aside">
          {More && <More />}
          <a href={href({ at: "replay" })}>{replay.open}</a>
          <span>{isUp.value ? lobby.online(state.value.online) : line.connecting}</span>
        </div>
      </div>
      <Yours />
      {card && <Ways card={card} />}
      <Tables />
    </div>
  );
}

/** The tables where we have a seat. */
function Yours() {
  const { lobby, table } = words.value;
  const { mine, tables } = state.value;
  const live = mine.filter((id) => tables[id]?.room.phase !== "closed");
  return (
    <>
      {live.map((id) => {
        const seen = tables[id];
        return (
          <p class="yours" key={id}>
            <span>
              {seen && yourTurn(seen) ? <strong>{table.yourTurn}</strong> : lobby.yours}
              {seen && ` ${gameName(seen.room.game)} ${seen.room.code}`}
            </span>
            <a class="button primary" href={href({ at: "table", room: id })}>
              {lobby.back}
            </a>
          </p>
        );
      })}
    </>
  );
}

function Ways({ card }: { card: GameCard }) {
  const { lobby } = words.value;
  const creating = useSignal(false);
  const game = card.name as GameName;
  const busy = awaited.value !== null || !isUp.value;
  return (
    <section class="ways" aria-label={gameName(game)}>
      {playable().length > 1 ? <Picker name="playing" /> : <h2>{gameName(game)}</h2>}
      <div class="ways-grid">
        <div class="way">
          <p class="soft">{lobby.quickHint}</p>
          <button class="primary" disabled={busy} onClick={() => quickMatch(game)}>
            {lobby.quick}
          </button>
        </div>
        <div class="way">
          <p class="soft">{lobby.createHint}</p>
          <button disabled={busy} onClick={() => (creating.value = true)}>
            {lobby.create}
          </button>
        </div>
        {card.bots.length > 0 && (
          <div class="way" role="group" aria-label={lobby.bot}>
            <p class="soft">{lobby.bot}</p>
            {card.bots.length > FEW ? (
              <Levels card={card} busy={busy} />
            ) : (
              <div class="joined">
                {card.bots.map((bot) => (
                  <button key={bot} class="bot" disabled={busy} onClick={() => openTable({ game, bot, listed: false })}>
                    {botCard(bot).name} <small>{botCard(bot).level}</small>
                  </button>
                ))}
              </div>
            )}
          </div>
        )}
        <ByCode />
      </div>
      {creating.value && <CreateDialog onClose={() => (creating.value = false)} />}
    </section>
  );
}

/** Bots enough for a list. */
function Levels({ card, busy }: { card: GameCard; busy: boolean }) {
  const { lobby } = words.value;
  const key = `qipai.bot.${card.name}`;
  const bot = useSignal(localStorage.getItem(key) ?? "");
  const chosen = card.bots.includes(bot.value) ? bot.value : card.bots[Math.floor(card.bots.length / 3)]!;
  const play = () => {
    localStorage.setItem(key, chosen);
    openTable({ game: card.name as GameName, bot: chosen, listed: false });
  };
  return (
    <div class="joined levels">
      <select aria-label={lobby.bot} value={chosen} onChange={(event) => (bot.value = event.currentTarget.value)}>
        {card.bots.map((one) => (
          <option key={one} value={one}>
            {botCard(one).name} ({botCard(one).level})
          </option>
        ))}
      </select>
      <button disabled={busy} onClick={play}>
        {lobby.botPlay}
      </button>
    </div>
  );
}

function ByCode() {
  const { lobby } = words.value;
  const code = useSignal("");
  const join = (event: SubmitEvent) => {
    event.preventDefault();
    if (code.value) go({ at: "code", code: code.value });
  };
  return (
    <form class="way" onSubmit={join} aria-label={lobby.join}>
      <p class="soft">{lobby.joinHint}</p>
      <div class="joined">
        <input
          class="code-field"
          aria-label={lobby.code}
          placeholder={lobby.code}
          value={code.value}
          onInput={(event) => (code.value = tidyCode(event.currentTarget.value))}
          maxLength={12}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
        />
        <button disabled={!isUp.value || !code.value}>{lobby.go}</button>
      </div>
    </form>
  );
}
