/** How a new table is to be. */

import { useSignal } from "@preact/signals";
import { botCard, words } from "../i18n";
import { clockText } from "../listing";
import { openTable } from "../session";
import type { ClockPlan, GameName } from "../wire";
import { Dialog } from "./dialog";
import { chosenGame, Picker } from "./picker";

const minutes = (main: number, seconds: number): ClockPlan => ({ main: [main * 60_000], increment: seconds * 1000 });
const move = (seconds: number): ClockPlan => ({ move: seconds * 1000 });

/** Nothing for a table without a clock. */
const CLOCKS: readonly (ClockPlan | null)[] = [
  null, minutes(1, 2), minutes(3, 2), minutes(5, 5), minutes(10, 10), move(30), move(60),
];

export function CreateDialog({ onClose }: { onClose: () => void }) {
  const { create, cancel } = words.value;
  const card = chosenGame();
  const bot = useSignal("");
  const against = card?.bots.includes(bot.value) ? bot.value : "";
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    onClose();
    if (!card) return;
    const clock = CLOCKS[Number(form.get("clock"))] ?? null;
    openTable({ game: card.name as GameName, bot: against, listed: form.get("listed") === "yes", clock });
  };
  return (
    <Dialog title={create.title} onClose={onClose}>
      <form onSubmit={open}>
        <h2>{create.title}</h2>
        <Picker name="game" />
        <label class="field">
          <span>{create.opponent}</span>
          <select value={against} onChange={(event) => (bot.value = event.currentTarget.value)}>
            <option value="">{create.person}</option>
            {card?.bots.map((name) => (
              <option key={name} value={name}>
                {create.botOf(botCard(name).name, botCard(name).level)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{create.clock}</span>
          <select name="clock">
            {CLOCKS.map((clock, index) => (
              <option key={index} value={index}>
                {clock === null ? create.noClock : clockText(clock, words.value)}
              </option>
            ))}
          </select>
        </label>
        <fieldset>
          <legend>{create.listed}</legend>
          <label class="choice">
            <input type="radio" name="listed" value="yes" defaultChecked />
            <span>{create.public}</span>
          </label>
          <label class="choice">
            <input type="radio" name="listed" value="no" />
            <span>{create.unlisted}</span>
          </label>
        </fieldset>
        <div class="buttons">
          <button type="button" onClick={onClose}>
            {cancel}
          </button>
          <button class="primary">{create.open}</button>
        </div>
      </form>
    </Dialog>
  );
}
