/** The folded part of the dialog for a new table; its summary names every choice in it. */

import type { ComponentChildren } from "preact";
import type { GameParts } from "../../games/gameInterface";
import { botTexts, texts } from "../../i18n/language";
import type { GameDescription, GameName } from "../../net/protocol";
import { compensatesLag, mayCompensateLag } from "../clockChoice";
import { absencePolicyOf, DEFAULT_FORFEIT_AFTER, FORFEIT_TIMES, mayAbsentPlayersReturn, mediumBot, SPECTATOR_DELAYS, type AbsencePolicy, type NewTableOptions } from "../newTableOptions";
import { chosenPlan, foldedText, isOnlyBots, mayAllowSeesHidden } from "./openingText";
import "./more-options.css";

/** Maximum length that the server accepts. */
const MAX_TITLE = 30;
const NOBODY = -1;

interface MoreOptionsProps {
  card: GameDescription;
  parts: GameParts<GameName> | undefined;
  options: NewTableOptions;
  challenged: boolean;
  onChange: (some: Partial<NewTableOptions>) => void;
}

export function MoreOptions(props: MoreOptionsProps) {
  const { card, parts, options, challenged, onChange } = props;
  const { createTable, tableRules } = texts.value;
  const plan = chosenPlan(parts, options);
  const forms = [parts?.presets && parts.OptionsForm, parts?.MoreOptionsForm];
  return (
    <details class="create-more">
      <summary>
        <span class="create-more-title">{createTable.more}</span>
        <span class="soft create-more-summary">{foldedText(card, parts, options, texts.value)}</span>
        <svg class="preset-icon" viewBox="0 0 20 20" aria-hidden="true">
          <path d="M5.500 8l4.500 4.500L14.500 8" />
        </svg>
      </summary>
      {forms.map((Form) => Form && <Form options={options.options} onChange={(own) => onChange({ options: own })} />)}
      <SideField {...props} />
      {plan && mayCompensateLag(plan) && (
        <Switch
          label={createTable.lagCompensation}
          on={compensatesLag(plan)}
          onChange={(lagCompensation) => onChange({ clock: { ...options.clock, lagCompensation } })}
        />
      )}
      {options.bot && !challenged && <Switch label={tableRules.listed} on={options.listed} onChange={(listed) => onChange({ listed })} />}
      {!options.rated && parts?.offerKinds.includes("undo") && (
        <Switch label={tableRules.undoAllowed} on={options.undoAllowed} onChange={(undoAllowed) => onChange({ undoAllowed })} />
      )}
      {!options.rated && mayAllowSeesHidden(parts, options) && (
        <Switch label={tableRules.seesHiddenAllowed} on={options.seesHiddenAllowed} onChange={(seesHiddenAllowed) => onChange({ seesHiddenAllowed })} />
      )}
      {!isOnlyBots(card, options) && <AbsenceFields {...props} />}
      <Row label={tableRules.spectators}>
        <select
          value={options.spectators ? options.delay : NOBODY}
          onChange={({ currentTarget: { value } }) => onChange(Number(value) === NOBODY ? { spectators: false } : { spectators: true, delay: Number(value) })}
        >
          {SPECTATOR_DELAYS.map((delay) => (
            <option key={delay} value={delay}>
              {delay ? tableRules.later(tableRules.time(delay)) : tableRules.everyone}
            </option>
          ))}
          <option value={NOBODY}>{tableRules.nobody}</option>
        </select>
      </Row>
      <Row label={createTable.name}>
        <input name="title" maxLength={MAX_TITLE} autocomplete="off" placeholder={createTable.nameHint} />
      </Row>
    </details>
  );
}

function SideField({ parts, options: { seat }, onChange }: MoreOptionsProps) {
  const { createTable } = texts.value;
  const sides = parts?.sides?.(texts.value);
  if (sides === undefined) return null;
  return (
    <fieldset class="create-row">
      <legend>{createTable.side}</legend>
      <div class="segments">
        {([[0, sides[0]], [null, createTable.sideRandom], [1, sides[1]]] as const).map(([value, label]) => (
          <label class="segment" key={String(value)}>
            <input type="radio" name="side" checked={seat === value} onChange={() => onChange({ seat: value })} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** What happens when a player disconnects; with more than two seats a bot always plays on. */
function AbsenceFields({ card, options, onChange }: MoreOptionsProps) {
  const { tableRules } = texts.value;
  const policy = absencePolicyOf(card, options);
  const { rated } = options;
  const choose = (value: string) => {
    const [absencePolicy, seconds] = value.split(" ") as [AbsencePolicy, string?];
    onChange({ absencePolicy, ...(seconds && { forfeitAfter: Number(seconds) }) });
  };
  return (
    <>
      {(rated || !mayAbsentPlayersReturn(card)) && (
        <Row label={tableRules.absence}>
          <select value={policy === "forfeit" ? `forfeit ${options.forfeitAfter}` : policy} onChange={(event) => choose(event.currentTarget.value)}>
            {!rated && <option value="wait">{tableRules.absenceWait}</option>}
            {!rated && card.bots.length > 0 && <option value="bot">{tableRules.absenceBot}</option>}
            {(rated ? [DEFAULT_FORFEIT_AFTER] : FORFEIT_TIMES).map((seconds) => (
              <option key={seconds} value={`forfeit ${seconds}`}>
                {tableRules.absenceForfeit(tableRules.time(seconds))}
              </option>
            ))}
          </select>
        </Row>
      )}
      {policy === "bot" && (
        <Row label={tableRules.substituteBot}>
          <select value={options.substituteBot || mediumBot(card)} onChange={(event) => onChange({ substituteBot: event.currentTarget.value })}>
            {card.bots.map((bot) => (
              <option key={bot} value={bot}>
                {botTexts(card.name, bot).name}
              </option>
            ))}
          </select>
        </Row>
      )}
    </>
  );
}

function Row({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <label class="create-row">
      <span>{label}</span>
      {children}
    </label>
  );
}

function Switch({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <Row label={label}>
      <input type="checkbox" class="create-switch" role="switch" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
    </Row>
  );
}
