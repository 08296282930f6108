/** How a new table is to be. */

import { words } from "../i18n";
import { openTable } from "../session";
import type { ClockPlan, GameName } from "../wire";
import { Dialog } from "./dialog";

/** Minutes and seconds a move; nothing for a table without a clock. */
const CLOCKS: readonly (readonly [number, number] | null)[] = [null, [1, 2], [3, 2], [5, 5], [10, 10]];

export function CreateDialog({ game, onClose }: { game: GameName; onClose: () => void }) {
  const { create, cancel } = words.value;
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget as HTMLFormElement);
    onClose();
    openTable({ game, listed: chosen.get("listed") === "yes", clock: plan(Number(chosen.get("clock"))) });
  };
  return (
    <Dialog title={create.title} onClose={onClose}>
      <form onSubmit={open}>
        <h2>{create.title}</h2>
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
        <label class="field">
          <span>{create.clock}</span>
          <select name="clock">
            {CLOCKS.map((clock, index) => (
              <option key={index} value={index}>
                {clock === null ? create.noClock : create.clockOf(...clock)}
              </option>
            ))}
          </select>
        </label>
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

function plan(index: number): ClockPlan | null {
  const clock = CLOCKS[index];
  return clock ? { main: [clock[0] * 60_000], increment: clock[1] * 1000 } : null;
}
