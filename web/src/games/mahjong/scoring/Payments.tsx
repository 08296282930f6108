/** What each player won or paid in a hand. */

import { Avatar } from "../../../common/Avatar";
import type { MahjongOptions, MahjongResult, Seat } from "../../../net/protocol";
import type { FullPosition } from "../position";
import type { MahjongScene } from "../tiles/tileNames";
import { changeText, scoreText } from "./scoreText";

interface PaymentsProps {
  scene: MahjongScene;
  game: FullPosition;
  result: MahjongResult;
}

export function Payments({ scene, game, result }: PaymentsProps) {
  const { nameAt, you, texts } = scene;
  const text = texts.games.mahjong.table;
  const most = Math.max(1, ...result.delta.map(Math.abs));
  const { base = 100, unit = 20 } = scene.room.options as MahjongOptions;
  const role = (seat: Seat): string => {
    const winner = result.winners?.find((one) => one.seat === seat);
    if (winner) return winner.drawn ? text.roles.drawn : text.roles.won;
    if (seat === result.payer) return text.roles.dealtIn;
    const paid = -(result.delta[seat] ?? 0);
    if (paid <= 0) return "";
    const tai = (paid - base) / unit;
    // What is paid to several winners has several bases.
    return result.winners?.length === 1 && Number.isInteger(tai) ? text.roles.paid(base, tai) : text.roles.pays;
  };
  return (
    <table class="mj-payments">
      <thead>
        <tr>
          <th scope="col">{text.player}</th>
          <th scope="col">{text.change}</th>
          <th scope="col">{text.sum}</th>
        </tr>
      </thead>
      <tbody>
        {game.players.map(({ wind, score }, seat) => {
          const change = result.delta[seat] ?? 0;
          return (
            <tr key={seat} class={seat === you ? "mj-mine" : ""}>
              <th scope="row">
                <span class="mj-payer">
                  <Avatar name={nameAt(seat)}>
                    <span class={`mj-seal ${seat === game.dealer ? "mj-seal-dealer" : ""}`}>{texts.games.mahjong.winds[wind]?.slice(0, 1)}</span>
                  </Avatar>
                  <span>
                    <bdi>{nameAt(seat)}</bdi>
                    <small>{role(seat)}</small>
                  </span>
                </span>
              </th>
              <td class={change > 0 ? "mj-gain" : change < 0 ? "mj-loss" : ""}>
                <span class="mj-meter" aria-hidden="true" style={{ "--part": change / most }} />
                <span class="mj-change">{changeText(change)}</span>
              </td>
              <td class="mj-sum">{scoreText(score)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
