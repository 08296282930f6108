/** The house rules of a new table: who may look on, what may be taken back, what if somebody is cut off. */

import { partsOf } from "../games/boards";
import { botCard } from "../i18n";
import { text } from "../i18n/lobby";
import type { GameCard } from "../wire";
import { DELAYS, goesOn, leavingOf, middling, PATIENCE, type Wishes } from "../wishes";

interface HouseProps {
  card: GameCard;
  wishes: Wishes;
  onChange: (some: Partial<Wishes>) => void;
}

/** Folded, it says in a line what was chosen. */
export function House(props: HouseProps) {
  const { house } = text.value;
  const { card, wishes, onChange } = props;
  const undo = partsOf(card.name)?.tools.includes("undo");
  return (
    <details class="house">
      <summary>
        <span class="house-title">{house.title}</span>
        <span class="soft house-brief">{brief(card, wishes)}</span>
      </summary>
      <div class="house-rules">
        <Tick on={wishes.watchers} label={house.watchers} onChange={(watchers) => onChange({ watchers })} />
        <label class="field-line house-delay">
          <span>{house.delay}</span>
          <select
            value={wishes.delay}
            disabled={!wishes.watchers}
            onChange={(event) => onChange({ delay: Number(event.currentTarget.value) })}
          >
            {DELAYS.map((delay) => (
              <option key={delay} value={delay}>
                {delay ? `+ ${house.time(delay)}` : house.noDelay}
              </option>
            ))}
          </select>
        </label>
        {undo && <Tick on={wishes.takebacks} label={house.takebacks} onChange={(takebacks) => onChange({ takebacks })} />}
        <Absence {...props} />
      </div>
    </details>
  );
}

function Absence({ card, wishes, onChange }: HouseProps) {
  const { house } = text.value;
  const leaving = leavingOf(card, wishes);
  const names = { wait: house.awayWait, bot: house.awayBot, forfeit: house.awayForfeit };
  const kinds = goesOn(card) ? (["bot"] as const) : card.bots.length ? (["wait", "bot", "forfeit"] as const) : (["wait", "forfeit"] as const);
  return (
    <fieldset>
      <legend>{house.away}</legend>
      {kinds.map((kind) => (
        <div class="house-kind" key={kind}>
          <label class="choice">
            <input type="radio" name="leaving" checked={kind === leaving} onChange={() => onChange({ leaving: kind })} />
            <span>{names[kind]}</span>
          </label>
          {kind === "bot" && (
            <select
              aria-label={house.standin}
              disabled={kind !== leaving}
              value={wishes.standin || middling(card)}
              onChange={(event) => onChange({ standin: event.currentTarget.value })}
            >
              {card.bots.map((bot) => (
                <option key={bot} value={bot}>
                  {botCard(bot).name}
                </option>
              ))}
            </select>
          )}
          {kind === "forfeit" && (
            <select
              aria-label={house.after}
              disabled={kind !== leaving}
              value={wishes.away}
              onChange={(event) => onChange({ away: Number(event.currentTarget.value) })}
            >
              {PATIENCE.map((away) => (
                <option key={away} value={away}>
                  {house.time(away)}
                </option>
              ))}
            </select>
          )}
        </div>
      ))}
    </fieldset>
  );
}

function Tick({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label class="choice">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** Return in a few words what was chosen; what is as everywhere is not told. */
function brief(card: GameCard, wishes: Wishes): string {
  const { house } = text.value;
  const undo = partsOf(card.name)?.tools.includes("undo");
  const absence = {
    wait: house.brief.wait,
    bot: house.brief.bot,
    forfeit: house.brief.forfeit(house.time(wishes.away)),
  }[leavingOf(card, wishes)];
  return [
    ...(wishes.watchers ? [] : [house.brief.noWatchers]),
    ...(wishes.watchers && wishes.delay ? [house.brief.delay(house.time(wishes.delay))] : []),
    ...(undo && !wishes.takebacks ? [house.brief.noTakebacks] : []),
    absence,
  ].join(" · ");
}
