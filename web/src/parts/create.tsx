/** How a new table is to be. */

import { useSignal } from "@preact/signals";
import { partsOf } from "../games/boards";
import { botCard, words } from "../i18n";
import { openTable } from "../session";
import type { AnyOptions, ClockPlan, GameCard, GameName, Seat } from "../wire";
import { Dialog } from "./dialog";
import { chosenGame, Picker } from "./picker";
import { Plan, planOf, USUAL, type Choice } from "./plan";

const minutes = (main: number, seconds: number): ClockPlan => ({ main: [main * 60_000], increment: seconds * 1000 });
const move = (seconds: number): ClockPlan => ({ move: seconds * 1000 });

/** Letters that the server keeps. */
const MAX_TITLE = 30;

/** Nothing for a table without a clock. */
const CLOCKS: readonly (ClockPlan | null)[] = [
  null, minutes(1, 2), minutes(3, 2), minutes(5, 5), minutes(10, 10), move(30), move(60),
];

/** What was chosen for a game, today or last time. */
interface Wishes {
  bot: string;
  /** How many of the other seats are the bot's; null: all. */
  bots: number | null;
  listed: boolean;
  clock: Choice;
  options: AnyOptions;
  /** Null: either, by chance. */
  seat: Seat | null;
}

const FRESH: Wishes = { bot: "", bots: null, listed: true, clock: USUAL, options: {}, seat: null };

/** Return what was chosen for a game last time, as far as it is still understood. */
function remembered(card: GameCard | undefined): Wishes {
  const text = localStorage.getItem(`qipai.table.${card?.name ?? ""}`);
  try {
    const wishes = { ...FRESH, ...(JSON.parse(text ?? "{}") as Partial<Wishes>) };
    return card?.bots.includes(wishes.bot) ? wishes : { ...wishes, bot: "" };
  } catch {
    return FRESH;
  }
}

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
  const game = card.name as GameName;
  const parts = partsOf(game);
  const wishes = useSignal(remembered(card));
  const { bot, bots, listed, clock, options, seat } = wishes.value;
  const wish = (some: Partial<Wishes>) => (wishes.value = { ...wishes.value, ...some });
  const plans = parts?.clocks ?? CLOCKS;
  const sides = parts?.sides?.(words.value);
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget as HTMLFormElement).get("title") ?? "").trim();
    localStorage.setItem(`qipai.table.${game}`, JSON.stringify(wishes.value));
    onClose();
    const place = sides ? (seat ?? (Math.random() < 0.5 ? 0 : 1)) : 0;
    const chosen = { ...(parts?.Settings && { options }), ...(sides && { seat: place }) };
    openTable({ game, bot, bots: bots ?? undefined, listed, clock: planOf(clock, plans, place), title, ...chosen });
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
      <label class="field">
        <span>{create.name}</span>
        <input name="title" maxLength={MAX_TITLE} autocomplete="off" placeholder={create.nameHint} />
      </label>
      <fieldset>
        <legend>{create.listed}</legend>
        <label class="choice">
          <input type="radio" name="listed" checked={listed} onChange={() => wish({ listed: true })} />
          <span>{create.public}</span>
        </label>
        <label class="choice">
          <input type="radio" name="listed" checked={!listed} onChange={() => wish({ listed: false })} />
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
  );
}
