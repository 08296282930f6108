/** The name of a player of a finished game, with a link to the profile of an account. */

import { href } from "../app/route";
import { texts } from "../i18n/language";
import type { Seat } from "../net/protocol";
import { BotMark } from "./BotMark";
import { playerName, type FinishedGame } from "../replay/finishedGamesApi";

export function PlayerLink({ game, seat }: { game: FinishedGame; seat: Seat }) {
  const shown = playerName(game, seat);
  const profile = game.profiles[seat];
  const mark = <BotMark shown={game.bot_accounts?.includes(seat) ?? false} />;
  if (profile) {
    return (
      <span>
        <a class="player-link" href={href({ at: "profile", name: profile })}>
          <bdi title={shown}>{shown}</bdi>
        </a>{" "}
        {mark}
      </span>
    );
  }
  return (
    <span>
      <bdi title={shown}>{shown}</bdi> {mark}
      {game.bots[seat] && <small class="soft"> {texts.value.finishedGames.computer}</small>}
    </span>
  );
}
