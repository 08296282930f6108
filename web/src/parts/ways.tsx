/** Ways to play the chosen game: with a friend, against the computer, or at a table of one's own making. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { partsOf } from "../games/boards";
import { botCard, gameName, words } from "../i18n";
import { text } from "../i18n/lobby";
import { awaited, isUp, state } from "../session";
import { friendly, levelOf, playComputer, playFriend } from "../starts";
import type { GameCard } from "../wire";
import { CreateDialog } from "./create";

export function Ways({ card }: { card: GameCard }) {
  const { lobby } = words.value;
  const { ways } = text.value;
  const creating = useSignal(false);
  const More = partsOf(card.name)?.More;
  const busy = awaited.value !== null || !isUp.value;
  return (
    <section class="ways" aria-label={gameName(card.name)}>
      <div class="ways-head">
        <h2>{gameName(card.name)}</h2>
        {More && <More />}
      </div>
      <Way name={ways.friend} hint={friendly(card)} busy={busy} onPress={() => playFriend(card)} />
      <Computer card={card} busy={busy} />
      <Way name={lobby.create} hint={ways.createHint} busy={busy} onPress={() => (creating.value = true)} />
      {creating.value && <CreateDialog onClose={() => (creating.value = false)} />}
    </section>
  );
}

interface WayProps {
  name: string;
  hint: string;
  busy: boolean;
  onPress: () => void;
}

function Way({ name, hint, busy, onPress }: WayProps) {
  const id = useId();
  return (
    <div class="way-hinted">
      <button class="way" aria-describedby={id} disabled={busy} onClick={onPress}>
        {name}
      </button>
      <small id={id}>{hint}</small>
    </div>
  );
}

function Computer({ card, busy }: { card: GameCard; busy: boolean }) {
  const { ways } = text.value;
  const bot = useSignal("");
  const chosen = card.bots.includes(bot.value) ? bot.value : levelOf(card);
  // Before the server has said who plays, the place is kept.
  if (card.bots.length === 0 && state.value.games.length) return null;
  return (
    <div class="joined way-computer" role="group" aria-label={ways.computer}>
      <button class="way" disabled={busy || !chosen} onClick={() => playComputer(card, chosen)}>
        {ways.computer}
      </button>
      <select aria-label={ways.level} value={chosen} onChange={(event) => (bot.value = event.currentTarget.value)}>
        {card.bots.map((one) => (
          <option key={one} value={one}>
            {botCard(one).name} ({botCard(one).level})
          </option>
        ))}
      </select>
    </div>
  );
}
