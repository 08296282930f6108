/** Who may sit down at a new table: anyone, a friend with the link, or the computer. */

import { botTexts, texts } from "../../i18n/language";
import { lastBotLevel } from "../../lobby/quickStart";
import type { GameDescription } from "../../net/protocol";
import { botRatingText } from "../../ratings/botRating";
import type { NewTableOptions } from "../newTableOptions";

interface OpponentFieldProps {
  card: GameDescription;
  options: NewTableOptions;
  /** One of the seats is for a player who is challenged. */
  challenged: boolean;
  onChange: (some: Partial<NewTableOptions>) => void;
}

const ICONS = {
  anyone: "M7.5 4.2a2.8 2.8 0 1 1-.01 0M2.500 16c.3-3 2.200-4.600 5-4.600s4.700 1.600 5 4.600M13 4.600a2.600 2.600 0 0 1 0 5M14.500 11.800c1.800.5 2.800 1.900 3 4.200",
  friend: "M8.500 11.500a3 3 0 0 0 4.300 0l2.800-2.800a3 3 0 0 0-4.300-4.300l-1 1M11.500 8.500a3 3 0 0 0-4.300 0l-2.800 2.800a3 3 0 0 0 4.300 4.300l1-1",
  computer: "M6.500 6.500h7A2.500 2.500 0 0 1 16 9v4a2.500 2.500 0 0 1-2.500 2.500h-7A2.500 2.500 0 0 1 4 13V9a2.500 2.500 0 0 1 2.500-2.500zM10 6.500V4M7.700 10v1.800M12.300 10v1.800",
};

export function OpponentField({ card, options, challenged, onChange }: OpponentFieldProps) {
  const { createTable } = texts.value;
  const { bot, listed } = options;
  const chosen = bot ? "computer" : listed ? "anyone" : "friend";
  const choices = {
    anyone: { bot: "", bots: null, listed: true },
    friend: { bot: "", bots: null, listed: false },
    computer: { bot: lastBotLevel(card), bots: challenged ? card.seats - 2 : null, listed: false },
  };
  const offered = { anyone: !challenged, friend: true, computer: card.bots.length > 0 };
  const kinds = (Object.keys(choices) as (keyof typeof choices)[]).filter((kind) => offered[kind]);
  return (
    <fieldset>
      <legend>{card.seats > 2 ? createTable.otherSeats : createTable.opponent}</legend>
      <div class="segments">
        {kinds.map((kind) => (
          <label class="segment" key={kind}>
            <input type="radio" name="opponent" checked={kind === chosen} onChange={() => onChange(choices[kind])} />
            <svg class="preset-icon" viewBox="0 0 20 20" aria-hidden="true">
              <path d={ICONS[kind]} />
            </svg>
            <span>{createTable[kind]}</span>
          </label>
        ))}
      </div>
      {bot && <BotFields card={card} options={options} challenged={challenged} onChange={onChange} />}
    </fieldset>
  );
}

function BotFields({ card, options, challenged, onChange }: OpponentFieldProps) {
  const { bot, bots } = options;
  const { createTable, playButtons, punctuation } = texts.value;
  const others = card.seats - (challenged ? 2 : 1);
  return (
    <div class="fields create-bots">
      <label class="field">
        <span>{playButtons.level}</span>
        <select value={bot} onChange={(event) => onChange({ bot: event.currentTarget.value })}>
          {card.bots.map((name) => {
            const { name: shown, level } = botTexts(card.name, name);
            return (
              <option key={name} value={name}>
                {punctuation.withNote(shown, [level, botRatingText(card, name, options.options)].filter(Boolean).join(punctuation.comma))}
              </option>
            );
          })}
        </select>
      </label>
      {others > 1 && (
        <label class="field">
          <span>{createTable.bots}</span>
          <select
            value={bots ?? others}
            onChange={(event) => {
              const many = Number(event.currentTarget.value);
              // Open seats are for people, who find the table in the lobby.
              onChange(challenged ? { bots: many } : { bots: many < others ? many : null, listed: many < others });
            }}
          >
            {Array.from({ length: others }, (_, fewer) => others - fewer).map((many) => (
              <option key={many} value={many}>
                {createTable.botsOf(many, others - many + (challenged ? 1 : 0))}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
