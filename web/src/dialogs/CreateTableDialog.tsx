/** Dialog that creates a table. */

import { useSignal } from "@preact/signals";
import { partsOf } from "../games/gameRegistry";
import { botTexts, texts } from "../i18n/language";
import { openTable } from "../net/commands";
import { seatForSide } from "../lobby/quickStart";
import { tableRulesFrom, saveOptions, loadOptions, type NewTableOptions } from "./newTableOptions";
import type { GameDescription } from "../net/protocol";
import { Dialog } from "./Dialog";
import { TableRulesForm } from "./TableRulesForm";
import { chosenGame, GamePicker } from "../lobby/GamePicker";
import { ClockForm } from "./ClockForm";
import { clockPlanOf, clockPresets } from "./clockChoice";

/** Maximum length that the server accepts. */
const MAX_TITLE = 30;

export function CreateTableDialog({ onClose }: { onClose: () => void }) {
  const card = chosenGame();
  return (
    <Dialog title={texts.value.createTable.title} onClose={onClose}>
      <h2>{texts.value.createTable.title}</h2>
      <GamePicker name="game" />
      {card && <CreateTableForm key={card.name} card={card} onClose={onClose} />}
    </Dialog>
  );
}

function CreateTableForm({ card, onClose }: { card: GameDescription; onClose: () => void }) {
  const { createTable, cancel } = texts.value;
  const { tableRules } = texts.value;
  const game = card.name;
  const parts = partsOf(game);
  const chosenOptions = useSignal(loadOptions(card, parts?.defaultOptions));
  const { bot, bots, listed, clock, options, seat } = chosenOptions.value;
  const change = (some: Partial<NewTableOptions>) => (chosenOptions.value = { ...chosenOptions.value, ...some });
  const plans = clockPresets(parts);
  const sides = parts?.sides?.(texts.value);
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget as HTMLFormElement).get("title") ?? "").trim();
    saveOptions(card, chosenOptions.value);
    onClose();
    const chosenSeat = seatForSide(card, seat);
    const chosen = { ...(parts?.OptionsForm && { options }), ...(sides && { seat: chosenSeat }) };
    const rules = tableRulesFrom(card, chosenOptions.value);
    openTable({ game, bot, bots: bots ?? undefined, listed, clock: clockPlanOf(clock, plans, chosenSeat), title, rules, ...chosen });
  };
  return (
    <form onSubmit={open}>
      <label class="field">
        <span>{card.seats > 2 ? createTable.otherSeats : createTable.opponent}</span>
        <select value={bot} onChange={(event) => change({ bot: event.currentTarget.value })}>
          <option value="">{createTable.anyone}</option>
          {card.bots.map((name) => (
            <option key={name} value={name}>
              {createTable.botOf(botTexts(game, name).name, botTexts(game, name).level)}
            </option>
          ))}
        </select>
      </label>
      {bot && card.seats > 2 && (
        <label class="field">
          <span>{createTable.bots}</span>
          <select
            value={bots ?? card.seats - 1}
            onChange={(event) => {
              const many = Number(event.currentTarget.value);
              change({ bots: many < card.seats - 1 ? many : null });
            }}
          >
            {Array.from({ length: card.seats - 1 }, (_, number) => card.seats - 1 - number).map((many) => (
              <option key={many} value={many}>
                {createTable.botsOf(many, card.seats - 1 - many)}
              </option>
            ))}
          </select>
        </label>
      )}
      {sides && (
        <fieldset>
          <legend>{createTable.side}</legend>
          <div class="options">
            {([[0, sides[0]], [null, createTable.sideRandom], [1, sides[1]]] as const).map(([value, label]) => (
              <label class="option" key={label}>
                <input type="radio" name="side" checked={seat === value} onChange={() => change({ seat: value })} />
                <span>{label}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {parts?.OptionsForm && <parts.OptionsForm options={options} onChange={(changed) => change({ options: changed })} />}
      <ClockForm
        plans={plans}
        choice={clock}
        custom={parts?.clockPresets !== undefined && !parts.playersOnBoard}
        onChange={(changed) => change({ clock: changed })}
      />
      <fieldset>
        <legend>{createTable.listed}</legend>
        <div class="options">
          {([[true, tableRules.listed], [false, tableRules.unlisted]] as const).map(([value, label]) => (
            <label class="option" key={label}>
              <input type="radio" name="listed" checked={listed === value} onChange={() => change({ listed: value })} />
              <span>{label}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <label class="field">
        <span>{createTable.name}</span>
        <input name="title" maxLength={MAX_TITLE} autocomplete="off" placeholder={createTable.nameHint} />
      </label>
      <TableRulesForm card={card} options={chosenOptions.value} onChange={change} />
      <div class="buttons">
        <button type="button" onClick={onClose}>
          {cancel}
        </button>
        <button class="primary" disabled={parts === undefined}>{createTable.open}</button>
      </div>
    </form>
  );
}
