/** Dialog that opens a table, also for a challenge: game, twist, opponent and clock; all else is folded. */

import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { GameParts } from "../../games/gameInterface";
import { partsOf } from "../../games/gameRegistry";
import { gameName, texts } from "../../i18n/language";
import { chooseGame, chosenGame, playableGames } from "../../lobby/chosenGame";
import { chooseBotLevel, lastBotLevel, presetOf, seatForSide } from "../../lobby/quickStart";
import { GameIcon } from "../../common/GameIcon";
import { openTable } from "../../net/commands";
import type { GameDescription, GameName } from "../../net/protocol";
import { state } from "../../net/session";
import { clockPlanOf, clockPresets } from "../clockChoice";
import { withRatedRules } from "../ratedChoice";
import { SheetDialog } from "../SheetDialog";
import { loadOptions, saveOptions, tableRulesFrom, type NewTableOptions } from "../newTableOptions";
import { ClockField } from "./ClockField";
import { MoreOptions } from "./MoreOptions";
import { OpponentField } from "./OpponentField";
import { RatedField } from "./RatedField";
import { tableText, visibilityText } from "./openingText";
import "./create.css";

/** Who is challenged to the table, and what the dialog says about it. */
export interface ChallengeChoice {
  name: string;
  title: string;
  button: string;
  note: string;
}

interface CreateTableProps {
  /** The table is for this player. */
  challenge?: ChallengeChoice;
  onClose: () => void;
}

export function CreateTableDialog({ challenge, onClose }: CreateTableProps) {
  const card = chosenGame();
  return (
    <SheetDialog title={challenge?.title ?? texts.value.createTable.title} className="create" onClose={onClose}>
      {card && <CreateTableForm card={card} onClose={onClose} {...(challenge && { challenge })} />}
    </SheetDialog>
  );
}

function CreateTableForm({ card, challenge, onClose }: CreateTableProps & { card: GameDescription }) {
  const { createTable, cancel } = texts.value;
  const game = card.name;
  const parts = partsOf(game);
  const last = useMemo(() => loadOptions(card, parts?.defaultOptions), [game]);
  const chosen = useMemo(() => signal(challenge ? forChallenge(card, last) : last), [game]);
  const options = withRatedRules(parts, chosen.value, state.value.account);
  const change = (some: Partial<NewTableOptions>) => (chosen.value = { ...chosen.value, ...some });
  const plans = clockPresets(parts);
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget as HTMLFormElement).get("title") ?? "").trim();
    const { bot, bots, listed, clock, seat } = options;
    // Who else plays at a challenge says nothing about the next table.
    saveOptions(card, challenge ? { ...chosen.value, bot: last.bot, bots: last.bots, listed: last.listed } : chosen.value);
    if (bot) chooseBotLevel(card, bot);
    onClose();
    const chosenSeat = seatForSide(card, seat);
    openTable({
      game,
      bot,
      bots: bots ?? undefined,
      listed,
      clock: clockPlanOf(clock, plans, chosenSeat),
      title,
      challenged: challenge?.name,
      rules: tableRulesFrom(card, options),
      ...(parts?.OptionsForm && { options: options.options }),
      ...(parts?.sides && { seat: chosenSeat }),
    });
  };
  return (
    <form class="sheet-form" onSubmit={open}>
      <div class="sheet-fields">
        <GameTabs game={game} />
        {parts?.presets ? (
          <TwistCards parts={parts} options={chosen.value} onChange={change} />
        ) : (
          parts?.OptionsForm && <parts.OptionsForm options={chosen.value.options} onChange={(own) => change({ options: own })} />
        )}
        {(!challenge || card.seats > 2) && <OpponentField card={card} options={options} challenged={challenge !== undefined} onChange={change} />}
        <ClockField
          plans={plans}
          choice={options.clock}
          custom={!parts?.playersOnBoard}
          onChange={(clock) => change({ clock })}
        />
        <RatedField parts={parts} options={chosen.value} onChange={change} />
        <MoreOptions card={card} parts={parts} options={options} challenged={challenge !== undefined} onChange={change} />
      </div>
      <footer class="buttons sheet-foot create-foot">
        <p aria-live="polite">
          <b>{tableText(gameName(game), parts, options, texts.value)}</b> <span class="soft">{options.rated && `${texts.value.rated.name} · `}{challenge?.note ?? visibilityText(card, options, texts.value)}</span>
        </p>
        <button type="button" onClick={onClose}>
          {cancel}
        </button>
        <button class="primary" disabled={parts === undefined}>
          {challenge?.button ?? createTable.open}
        </button>
      </footer>
    </form>
  );
}

/** Return the choices for a challenge: with more than two seats the computer takes those that nobody is asked for. */
function forChallenge(card: GameDescription, last: NewTableOptions): NewTableOptions {
  const others = card.seats - 2;
  const bot = others > 0 && !last.rated ? lastBotLevel(card) : "";
  return { ...last, bot, bots: bot ? others : null, listed: false };
}

function GameTabs({ game }: { game: string }) {
  return (
    <fieldset class="segments create-games">
      <legend class="hidden">{texts.value.lobby.game}</legend>
      {playableGames().map(({ name }) => (
        <label class="segment" key={name}>
          <input type="radio" name="game" checked={name === game} onChange={() => chooseGame(name)} />
          <GameIcon game={name} />
          <span>{gameName(name)}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface TwistCardsProps {
  parts: GameParts<GameName>;
  options: NewTableOptions;
  onChange: (some: Partial<NewTableOptions>) => void;
}

/** No card is chosen if the options are a combination of their own. */
function TwistCards({ parts, options, onChange }: TwistCardsProps) {
  const chosen = presetOf(parts, options.options)?.id;
  return (
    <fieldset>
      <legend>{texts.value.playButtons.twist}</legend>
      <div class="create-twists">
        {parts.presets?.map(({ id, options: own, texts: textsOf, Icon }) => {
          const { name, hint } = textsOf(texts.value);
          return (
            <label class="create-choice create-twist" key={id}>
              <input type="radio" name="twist" aria-label={name} aria-describedby={`create-twist-${id}`} checked={id === chosen} onChange={() => onChange({ options: own })} />
              <span class="create-twist-icon">
                <Icon />
              </span>
              <b>{name}</b>
              <small id={`create-twist-${id}`}>{hint}</small>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
