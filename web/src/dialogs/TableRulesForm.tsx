/** Form for the table rules of a new table. */

import { partsOf } from "../games/gameRegistry";
import { botTexts, texts } from "../i18n/language";
import type { GameDescription } from "../net/protocol";
import { SPECTATOR_DELAYS, mayAbsentPlayersReturn, absencePolicyOf, mediumBot, FORFEIT_TIMES, type NewTableOptions } from "./newTableOptions";

interface TableRulesFormProps {
  card: GameDescription;
  options: NewTableOptions;
  onChange: (some: Partial<NewTableOptions>) => void;
}

/** When folded, one line sums up the choices. */
export function TableRulesForm(props: TableRulesFormProps) {
  const { tableRules } = texts.value;
  const { card, options, onChange } = props;
  const undo = partsOf(card.name)?.offerKinds.includes("undo");
  return (
    <details class="table-rules">
      <summary>
        <span class="table-rules-title">{tableRules.title}</span>
        <span class="soft table-rules-summary">{summaryText(card, options)}</span>
      </summary>
      <div class="table-rules-fields">
        <Checkbox on={options.spectators} label={tableRules.spectators} onChange={(spectators) => onChange({ spectators })} />
        <label class="field-line table-rules-delay">
          <span>{tableRules.spectatorDelay}</span>
          <select
            value={options.delay}
            disabled={!options.spectators}
            onChange={(event) => onChange({ delay: Number(event.currentTarget.value) })}
          >
            {SPECTATOR_DELAYS.map((delay) => (
              <option key={delay} value={delay}>
                {delay ? `+ ${tableRules.time(delay)}` : tableRules.noDelay}
              </option>
            ))}
          </select>
        </label>
        {undo && <Checkbox on={options.undoAllowed} label={tableRules.undoAllowed} onChange={(undoAllowed) => onChange({ undoAllowed })} />}
        {mayAllowSeesHidden(card, options) && <Checkbox on={options.seesHiddenAllowed} label={tableRules.seesHiddenAllowed} onChange={(seesHiddenAllowed) => onChange({ seesHiddenAllowed })} />}
        <AbsenceFields {...props} />
      </div>
    </details>
  );
}

function AbsenceFields({ card, options, onChange }: TableRulesFormProps) {
  const { tableRules } = texts.value;
  const leaving = absencePolicyOf(card, options);
  const names = { wait: tableRules.absenceWait, bot: tableRules.absenceBot, forfeit: tableRules.absenceForfeit };
  const kinds = mayAbsentPlayersReturn(card) ? (["bot"] as const) : card.bots.length ? (["wait", "bot", "forfeit"] as const) : (["wait", "forfeit"] as const);
  return (
    <fieldset>
      <legend>{tableRules.absence}</legend>
      {kinds.map((kind) => (
        <div class="table-rules-kind" key={kind}>
          <label class="choice">
            <input type="radio" name="leaving" checked={kind === leaving} onChange={() => onChange({ absencePolicy: kind })} />
            <span>{names[kind]}</span>
          </label>
          {kind === "bot" && (
            <select
              aria-label={tableRules.substituteBot}
              disabled={kind !== leaving}
              value={options.substituteBot || mediumBot(card)}
              onChange={(event) => onChange({ substituteBot: event.currentTarget.value })}
            >
              {card.bots.map((bot) => (
                <option key={bot} value={bot}>
                  {botTexts(card.name, bot).name}
                </option>
              ))}
            </select>
          )}
          {kind === "forfeit" && (
            <select
              aria-label={tableRules.forfeitAfter}
              disabled={kind !== leaving}
              value={options.forfeitAfter}
              onChange={(event) => onChange({ forfeitAfter: Number(event.currentTarget.value) })}
            >
              {FORFEIT_TIMES.map((seconds) => (
                <option key={seconds} value={seconds}>
                  {tableRules.time(seconds)}
                </option>
              ))}
            </select>
          )}
        </div>
      ))}
    </fieldset>
  );
}

function Checkbox({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label class="choice">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** Return a short summary of the rules that differ from the default. */
function summaryText(card: GameDescription, options: NewTableOptions): string {
  const { tableRules } = texts.value;
  const undo = partsOf(card.name)?.offerKinds.includes("undo");
  const absence = {
    wait: tableRules.summary.wait,
    bot: tableRules.summary.bot,
    forfeit: tableRules.summary.forfeit(tableRules.time(options.forfeitAfter)),
  }[absencePolicyOf(card, options)];
  return [
    ...(options.spectators ? [] : [tableRules.summary.noSpectators]),
    ...(options.spectators && options.delay ? [tableRules.summary.delay(tableRules.time(options.delay))] : []),
    ...(undo && !options.undoAllowed ? [tableRules.summary.noUndo] : []),
    ...(mayAllowSeesHidden(card, options) && options.seesHiddenAllowed ? [tableRules.summary.seesHidden] : []),
    absence,
  ].join(" · ");
}

/** Tell whether the game hides something with these options that an older client would receive. */
function mayAllowSeesHidden(card: GameDescription, { options }: NewTableOptions): boolean {
  const parts = partsOf(card.name);
  return parts?.olderClientSeesHidden === true && parts.hidesInformation?.(options) === true;
}
