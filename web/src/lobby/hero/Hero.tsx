/** The chosen game: twist, clock and level as chosen last, and three ways to play. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { clockPresets } from "../../dialogs/clockChoice";
import { saveOptions, type NewTableOptions } from "../../dialogs/newTableOptions";
import { chosenCategory, ratedObstacle, withoutBots } from "../../dialogs/ratedChoice";
import { OwnRating } from "../../ratings/lazyRatings";
import type { GameParts } from "../../games/gameInterface";
import { go, href } from "../../app/route";
import { hasLessons, partsOf } from "../../games/gameRegistry";
import { missingStatus } from "../../games/outsideGameRequests";
import { retryGame } from "../../games/outsideGames";
import { botTexts, gameName, texts } from "../../i18n/language";
import type { AnyOptions, GameDescription, GameName } from "../../net/protocol";
import { botRatingText } from "../../ratings/botRating";
import { awaitedIntent, isConnected, state } from "../../net/session";
import { chooseGame } from "../chosenGame";
import { chooseBotLevel, chosenOptions, lastBotLevel, playAnyone, playComputer, playFriend, presetOf, firstWaiting, waitingFor, waitingOtherwise } from "../quickStart";
import { clockText, shortClockText } from "../tableSummary";
import { NoPicture } from "./OtherGames";

export function Hero({ card }: { card: GameDescription }) {
  const parts = partsOf(card.name);
  const chosen = useSignal(chosenOptions(card));
  const missing = missingStatus(card.name);
  const Picture = parts?.HeroPicture ?? parts?.LobbyPicture ?? NoPicture;
  const Extra = parts?.LobbyExtra;
  const change = (some: Partial<NewTableOptions>) => {
    chosen.value = { ...chosen.value, ...some };
    saveOptions(card, chosen.value);
    chooseGame(card.name);
  };
  return (
    <section class="hero" aria-labelledby="hero-title">
      <div class="hero-picture">
        <Picture preset={presetOf(parts, chosen.value.options)?.id} />
      </div>
      <div class="hero-body">
        <div class="hero-head">
          <h2 id="hero-title" tabIndex={-1}>
            {gameName(card.name)}
          </h2>
          <div class="hero-links">
            {Extra && <Extra />}
            {hasLessons(card.name) && <a href={href({ at: "learn", game: card.name, page: "" })}>{texts.value.howToPlay}</a>}
          </div>
        </div>
        {parts?.presets && <Twists parts={parts} options={chosen.value} onChange={change} />}
        <div class="hero-options">
          <p class="soft">
            <OtherOffer card={card}>{hintOf(parts, chosen.value)}</OtherOffer>
          </p>
          <ClockChoice parts={parts} options={chosen.value} onChange={change} />
          <LevelChoice card={card} options={chosen.value.options} />
        </div>
        {parts?.ratedOptions && <RatedChoice parts={parts} options={chosen.value} onChange={change} />}
        {missing === "failed" ? <FailedGame game={card.name} /> : <PlayButtons card={card} missing={missing !== null} />}
      </div>
    </section>
  );
}

interface ChoiceProps {
  parts: GameParts<GameName> | undefined;
  options: NewTableOptions;
  onChange: (some: Partial<NewTableOptions>) => void;
}

/** Return what the chosen options mean. */
function hintOf(parts: GameParts<GameName> | undefined, chosen: NewTableOptions): string {
  const { options } = chosen;
  const preset = presetOf(parts, options);
  return preset ? preset.texts(texts.value).hint : (parts?.tags?.(options, texts.value) ?? []).join(" · ");
}

/** Somebody who waits for the same game in another way, while nobody waits for the chosen one; otherwise the content. */
function OtherOffer({ card, children }: { card: GameDescription; children: ComponentChildren }) {
  const { playButtons, createTable } = texts.value;
  const { lobby, myRooms } = state.value;
  const rows = [...(lobby?.values() ?? [])];
  const row = waitingFor(card, rows, myRooms) ? undefined : waitingOtherwise(card, rows, myRooms);
  if (row === undefined) return <>{children}</>;
  const parts = partsOf(card.name);
  const options = row.options ?? {};
  const preset = presetOf(parts, options);
  const ways = [...(preset ? [preset.texts(texts.value).name] : (parts?.tags?.(options, texts.value) ?? [])), row.clock ? shortClockText(row.clock, texts.value) : createTable.noClock];
  return (
    <button class="link" disabled={!isConnected.value} onClick={() => go({ at: "code", code: row.code })}>
      {playButtons.other(firstWaiting(row)!, ways.join(" · "))}
    </button>
  );
}

function Twists({ parts, options, onChange }: ChoiceProps) {
  const chosen = presetOf(parts, options.options)?.id;
  return (
    <fieldset class="segments twists">
      <legend class="hidden">{texts.value.playButtons.twist}</legend>
      {parts?.presets?.map(({ id, options: own, texts: textsOf, Icon }) => (
        <label class="segment twist" key={id}>
          <input type="radio" name="twist" checked={id === chosen} onChange={() => onChange({ options: own })} />
          <Icon />
          <span>{textsOf(texts.value).name}</span>
        </label>
      ))}
    </fieldset>
  );
}

function ClockChoice({ parts, options, onChange }: ChoiceProps) {
  const { playButtons, createTable } = texts.value;
  const { clock } = options;
  return (
    <select
      class="hero-choice"
      aria-label={playButtons.clock}
      value={clock.preset}
      onChange={(event) => onChange({ clock: { ...clock, preset: Number(event.currentTarget.value) } })}
    >
      {clockPresets(parts).map((plan, index) => (
        <option key={index} value={index} aria-label={plan ? clockText(plan, texts.value) : createTable.noClock}>
          {plan ? shortClockText(plan, texts.value) : createTable.noClock}
        </option>
      ))}
      {clock.preset < 0 && <option value={clock.preset}>{createTable.clockCustom}</option>}
    </select>
  );
}

/** Whether a match with people is rated; guests find the way to sign in. */
function RatedChoice({ parts, options, onChange }: ChoiceProps) {
  const { rated } = texts.value;
  const id = useId();
  if (!state.value.account) {
    return (
      <p class="hero-rated soft">
        <a href={href({ at: "account" })}>{rated.signIn}</a>
      </p>
    );
  }
  const obstacle = ratedObstacle(parts, withoutBots(options));
  return (
    <p class="hero-rated soft">
      <label>
        <input
          type="checkbox"
          role="switch"
          aria-describedby={id}
          checked={options.rated && obstacle === null}
          disabled={obstacle !== null}
          onChange={(event) => onChange({ rated: event.currentTarget.checked })}
        />
        {rated.name}
      </label>
      <small id={id}>
        {obstacle === null ? rated.hint : rated.obstacles[obstacle]} <OwnRating category={chosenCategory(parts, withoutBots(options))} />
      </small>
    </p>
  );
}

function LevelChoice({ card, options }: { card: GameDescription; options: AnyOptions }) {
  const level = useSignal(lastBotLevel(card));
  if (card.bots.length === 0) return null;
  const chosen = card.bots.includes(level.value) ? level.value : lastBotLevel(card);
  return (
    <select
      class="hero-choice"
      aria-label={texts.value.playButtons.level}
      value={chosen}
      onChange={({ currentTarget: { value } }) => {
        level.value = value;
        chooseBotLevel(card, value);
      }}
    >
      {card.bots.map((bot) => (
        <option key={bot} value={bot}>
          {[botTexts(card.name, bot).name, botRatingText(card, bot, options)].filter(Boolean).join(" · ")}
        </option>
      ))}
    </select>
  );
}

function PlayButtons({ card, missing }: { card: GameDescription; missing: boolean }) {
  const { playButtons, gameCard } = texts.value;
  const { lobby, myRooms, games } = state.value;
  const busy = awaitedIntent.value !== null || !isConnected.value || missing;
  const waiting = waitingFor(card, lobby?.values() ?? [], myRooms);
  const start = (play: (card: GameDescription) => void) => {
    chooseGame(card.name);
    play(card);
  };
  return (
    <div class="hero-play">
      <PlayButton
        primary
        name={awaitedIntent.value?.type === "quick_match" ? "…" : playButtons.anyone}
        hint={waiting ? gameCard.waiting(waiting) : playButtons.meanwhile}
        busy={busy}
        onPress={() => start(playAnyone)}
      />
      <PlayButton name={playButtons.friend} hint={playButtons.friendHint} busy={busy} onPress={() => start(playFriend)} />
      {(card.bots.length > 0 || games.length === 0) && (
        <PlayButton name={playButtons.computer} hint={playButtons.computerHint} busy={busy} onPress={() => start(playComputer)} />
      )}
    </div>
  );
}

interface PlayButtonProps {
  name: ComponentChildren;
  hint: string;
  busy: boolean;
  primary?: boolean;
  onPress: () => void;
}

/** The hint lies over its button, but is not part of its name. */
function PlayButton({ name, hint, busy, primary, onPress }: PlayButtonProps) {
  const id = useId();
  return (
    <div class="play-button">
      <button class={primary ? "primary" : ""} aria-describedby={id} disabled={busy} onClick={onPress}>
        {name}
      </button>
      <small id={id}>{hint}</small>
    </div>
  );
}

function FailedGame({ game }: { game: string }) {
  return (
    <div class="hero-failed">
      <p role="alert">{texts.value.table.gameFailed}</p>
      <button class="small" onClick={() => retryGame(game)}>
        {texts.value.replay.retry}
      </button>
    </div>
  );
}
