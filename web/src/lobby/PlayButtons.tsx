/** Ways to play the chosen game: with a friend, against a bot, own table. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { partsOf } from "../games/gameRegistry";
import { retryGame } from "../games/outsideGames";
import { missingStatus } from "../games/outsideGameRequests";
import { botTexts, gameName, texts } from "../i18n/language";
import { awaitedIntent, isConnected, state } from "../net/session";
import { friendGameText, lastBotLevel, playComputer, playFriend } from "./quickStart";
import type { GameDescription } from "../net/protocol";
import { CreateTableDialog } from "../dialogs/CreateTableDialog";

export function PlayButtons({ card }: { card: GameDescription }) {
  const { lobby } = texts.value;
  const { playButtons } = texts.value;
  const creating = useSignal(false);
  const More = partsOf(card.name)?.LobbyExtra;
  const missing = missingStatus(card.name);
  const busy = awaitedIntent.value !== null || !isConnected.value || missing !== null;
  return (
    <section class="play-buttons" aria-label={gameName(card.name)}>
      <div class="play-buttons-head">
        <h2>{gameName(card.name)}</h2>
        {More && <More />}
      </div>
      {missing === "failed" ? (
        <FailedGame game={card.name} />
      ) : (
        <>
          <PlayButton name={playButtons.friend} hint={friendGameText(card)} busy={busy} onPress={() => playFriend(card)} />
          <PlayComputerButton card={card} busy={busy} />
          <PlayButton name={lobby.create} hint={playButtons.createHint} busy={busy} onPress={() => (creating.value = true)} />
        </>
      )}
      {creating.value && <CreateTableDialog onClose={() => (creating.value = false)} />}
    </section>
  );
}

function FailedGame({ game }: { game: string }) {
  return (
    <div class="play-buttons-failed">
      <p role="alert">{texts.value.table.gameFailed}</p>
      <button class="small" onClick={() => retryGame(game)}>
        {texts.value.replay.retry}
      </button>
    </div>
  );
}

interface PlayButtonProps {
  name: string;
  hint: string;
  busy: boolean;
  onPress: () => void;
}

function PlayButton({ name, hint, busy, onPress }: PlayButtonProps) {
  const id = useId();
  return (
    <div class="play-button-hinted">
      <button class="play-button" aria-describedby={id} disabled={busy} onClick={onPress}>
        {name}
      </button>
      <small id={id}>{hint}</small>
    </div>
  );
}

function PlayComputerButton({ card, busy }: { card: GameDescription; busy: boolean }) {
  const { playButtons } = texts.value;
  const bot = useSignal("");
  const chosen = card.bots.includes(bot.value) ? bot.value : lastBotLevel(card);
  // Keep the space until the server has sent its bots.
  if (card.bots.length === 0 && state.value.games.length) return null;
  return (
    <div class="joined play-computer" role="group" aria-label={playButtons.computer}>
      <button class="play-button" disabled={busy || !chosen} onClick={() => playComputer(card, chosen)}>
        {playButtons.computer}
      </button>
      <select aria-label={playButtons.level} value={chosen} onChange={(event) => (bot.value = event.currentTarget.value)}>
        {card.bots.map((one) => (
          <option key={one} value={one}>
            {texts.value.punctuation.withNote(botTexts(card.name, one).name, botTexts(card.name, one).level)}
          </option>
        ))}
      </select>
    </div>
  );
}
