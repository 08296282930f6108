/** Result of a hand: tiles, tai, payments, verification. */

import { useSignal } from "@preact/signals";
import { texts } from "../../../i18n/language";
import type { MahjongOptions, MahjongPattern, MahjongResult, MahjongWinner } from "../../../net/protocol";
import { ScoreCalculator } from "./ScoreCalculator";
import { tileName, tileNames, playerLabel, type MahjongScene } from "../tiles/tileNames";
import type { FullPosition } from "../position";
import { VerifyWallButton } from "./VerifyWallButton";
import { requestFromResult } from "./scoreRequest";
import { Meld } from "../table/PlayerSide";
import { Tile } from "../tiles/Tile";

interface HandResultProps {
  scene: MahjongScene;
  game: FullPosition;
}

export function HandResult({ scene, game }: HandResultProps) {
  const text = texts.value.games.mahjong.table;
  const { result } = game;
  const { comma } = scene.texts.games.mahjong;
  if (result === null) return null;
  const { winners = [], payer = null, dealer = [] } = result;
  const { base = 100, unit = 20 } = scene.room.options as MahjongOptions;
  return (
    <section class="mj-result" aria-label={text.result}>
      <div class="mj-wins">
        {winners.length === 0 && <h2>{text.nobody}</h2>}
        {winners.map((winner) => (
          <Win key={winner.seat} scene={scene} game={game} winner={winner} />
        ))}
      </div>
      <div class="mj-settled">
        {winners.length > 0 && (
          <p class="mj-paying">
            {payer === null ? text.paysAll : text.pays(playerLabel(scene, game, payer))}
            <span class="soft">{text.stakes(base, unit)}</span>
            {dealer.length > 0 && (
              <span class="soft">
                {texts.value.punctuation.labelled(text.dealerTai, dealer.map(({ name, tai }) => `${text.pattern(name)} ${text.tai(tai)}`).join(comma))}
              </span>
            )}
          </p>
        )}
        <Payments scene={scene} game={game} result={result} />
        {game.seed && <VerifyWallButton key={game.seed} game={game} rules={scene.rules} />}
      </div>
    </section>
  );
}

function Win({ scene, game, winner }: { scene: MahjongScene; game: FullPosition; winner: MahjongWinner }) {
  const { room, texts } = scene;
  const { house = {} } = room.options as MahjongOptions;
  const text = texts.games.mahjong.table;
  const counting = useSignal(false);
  const { seat, hand, win, drawn, patterns, tai } = winner;
  const player = game.players[seat]!;
  const rest = hand.filter((tile) => tile !== win);
  return (
    <article class="mj-win">
      <h2>
        {text.winner(playerLabel(scene, game, seat), drawn)} <small>{text.tai(tai)}</small>
      </h2>
      <div class="mj-laid">
        <span class="mj-set" role="img" aria-label={tileNames(rest, texts)}>
          {rest.map((tile) => (
            <Tile key={tile} tile={tile} />
          ))}
        </span>
        <span class="mj-set mj-winning">
          <Tile tile={win} label={texts.punctuation.labelled(text.winning, tileName(win, texts))} />
        </span>
        {player.melds.map((set, number) => (
          <Meld key={number} set={set} seat={seat} texts={texts} />
        ))}
        {player.flowers.length > 0 && (
          <span class="mj-set mj-laid-flowers" role="img" aria-label={tileNames(player.flowers, texts)}>
            {player.flowers.map((tile) => (
              <Tile key={tile} tile={tile} />
            ))}
          </span>
        )}
      </div>
      <Patterns patterns={patterns} total={tai} />
      <button class="small quiet mj-calculate-this" onClick={() => (counting.value = true)}>
        {text.calculator.thisHand}
      </button>
      {counting.value && <ScoreCalculator start={requestFromResult(game, winner, house)} onClose={() => (counting.value = false)} />}
    </article>
  );
}

export function Patterns({ patterns, total }: { patterns: readonly MahjongPattern[]; total: number }) {
  const text = texts.value.games.mahjong.table;
  return (
    <ul class="mj-patterns">
      {patterns.length === 0 && <li>{text.calculator.none}</li>}
      {patterns.map(({ name, tai }) => (
        <li key={name}>
          <span>{text.pattern(name)}</span> <span>{text.tai(tai)}</span>
        </li>
      ))}
      <li class="mj-total">
        <span>{text.total}</span> <span>{text.tai(total)}</span>
      </li>
    </ul>
  );
}

function Payments({ scene, game, result }: HandResultProps & { result: MahjongResult }) {
  const { nameAt, you, texts } = scene;
  const text = texts.games.mahjong.table;
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
                <span class="mj-who">
                  <span class={`mj-seal ${seat === game.dealer ? "mj-seal-dealer" : ""}`}>
                    {texts.games.mahjong.winds[wind]?.slice(0, 1)}
                  </span>
                  <bdi>{nameAt(seat)}</bdi>
                </span>
              </th>
              <td class={change > 0 ? "mj-gain" : change < 0 ? "mj-loss" : ""}>{change > 0 ? `+${change}` : change}</td>
              <td>{score}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
