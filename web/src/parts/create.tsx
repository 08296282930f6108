/** How a new table is to be. */

import { useSignal } from "@preact/signals";
import { partsOf } from "../games/boards";
import { botCard, words } from "../i18n";
import { text } from "../i18n/lobby";
import { openTable } from "../session";
import { seatOf } from "../starts";
import { houseRules, remember, remembered, type Wishes } from "../wishes";
import type { GameCard, GameName } from "../wire";
import { Dialog } from "./dialog";
import { House } from "./house";
import { chosenGame, Picker } from "./picker";
import { Plan, planOf, plansOf } from "./plan";

/** Letters that the server keeps. */
const MAX_TITLE = 30;

export function CreateDialog({ onClose }: { onClose: () => void }) {
  const card = chosenGame();
  return (
    <Dialog title={words.value.create.title} onClose={onClose}>
      <h2>{words.value.create.title}</h2>
      <Picker name="game" />
      {card && <Form key={card.name} card={card} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ card, onClose }: { card: GameCard; onClose: () => void }) {
  const { create, cancel } = words.value;
  const { house } = text.value;
  const game = card.name as GameName;
  const parts = partsOf(game);
  const wishes = useSignal(remembered(card));
  const { bot, bots, listed, clock, options, seat } = wishes.value;
  const wish = (some: Partial<Wishes>) => (wishes.value = { ...wishes.value, ...some });
  const plans = plansOf(parts);
  const sides = parts?.sides?.(words.value);
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget as HTMLFormElement).get("title") ?? "").trim();
    remember(card, wishes.value);
    onClose();
    const place = seatOf(card, seat);
    const chosen = { ...(parts?.Settings && { options }), ...(sides && { seat: place }) };
    const house = houseRules(card, wishes.value);
    openTable({ game, bot, bots: bots ?? undefined, listed, clock: planOf(clock, plans, place), title, house, ...chosen });
  };
  return (
    <form onSubmit={open}>
      <label class="field">
        <span>{card.seats > 2 ? create.others : create.opponent}</span>
        <select value={bot} onChange={(event) => wish({ bot: event.currentTarget.value })}>
          <option value="">{create.person}</option>
          {card.bots.map((name) => (
            <option key={name} value={name}>
              {create.botOf(botCard(name).name, botCard(name).level)}
            </option>
          ))}
        </select>
      </label>
      {bot && card.seats > 2 && (
        <label class="field">
          <span>{create.bots}</span>
          <select
            value={bots ?? card.seats - 1}
            onChange={(event) => {
              const many = Number(event.currentTarget.value);
              wish({ bots: many < card.seats - 1 ? many : null });
            }}
          >
            {Array.from({ length: card.seats - 1 }, (_, number) => card.seats - 1 - number).map((many) => (
              <option key={many} value={many}>
                {create.botsOf(many, card.seats - 1 - many)}
              </option>
            ))}
          </select>
        </label>
      )}
      {sides && (
        <fieldset>
          <legend>{create.side}</legend>
          <div class="options">
            {([[0, sides[0]], [null, create.sideRandom], [1, sides[1]]] as const).map(([value, label]) => (
              <label class="option" key={label}>
                <input type="radio" name="side" checked={seat === value} onChange={() => wish({ seat: value })} />
                <span>{label}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {parts?.Settings && <parts.Settings options={options} onChange={(changed) => wish({ options: changed })} />}
      <Plan
        plans={plans}
        choice={clock}
        own={parts?.clocks !== undefined && !parts.around}
        onChange={(changed) => wish({ clock: changed })}
      />
      <fieldset>
        <legend>{create.listed}</legend>
        <div class="options">
          {([[true, house.listed], [false, house.unlisted]] as const).map(([value, label]) => (
            <label class="option" key={label}>
              <input type="radio" name="listed" checked={listed === value} onChange={() => wish({ listed: value })} />
              <span>{label}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <label class="field">
        <span>{create.name}</span>
        <input name="title" maxLength={MAX_TITLE} autocomplete="off" placeholder={create.nameHint} />
      </label>
      <House card={card} wishes={wishes.value} onChange={wish} />
      <div class="buttons">
        <button type="button" onClick={onClose}>
          {cancel}
        </button>
        <button class="primary">{create.open}</button>
      </div>
    </form>
  );
}
