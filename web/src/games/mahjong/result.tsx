/** How a hand ended: the winning tiles laid out, every tai, who pays, and the proof of the wall. */

import { useSignal } from "@preact/signals";
import { text } from "../../i18n/mahjong/table";
import type { MahjongOptions, MahjongPattern, MahjongResult, MahjongWinner } from "../../wire";
import { Explain } from "./explain";
import { tileName, tileNames, whoIs, type MahjongScene } from "./names";
import type { Full } from "./position";
import { Proven } from "./proven";
import { questionOf } from "./question";
import { Meld } from "./side";
import { Tile } from "./tile";

interface ResultProps {
  scene: MahjongScene;
  game: Full;
}

export function Result({ scene, game }: ResultProps) {
  const said = text.value;
  const { result } = game;
  const { comma } = scene.words.mahjong;
  if (result === null) return null;
  const { winners = [], payer = null, dealer = [] } = result;
  const { base = 100, unit = 20 } = scene.room.options as MahjongOptions;
  return (
    <section class="mj-result" aria-label={said.result}>
      <div class="mj-wins">
        {winners.length === 0 && <h2>{said.nobody}</h2>}
        {winners.map((winner) => (
          <Win key={winner.seat} scene={scene} game={game} winner={winner} />
        ))}
      </div>
      <div class="mj-settled">
        {winners.length > 0 && (
          <p class="mj-paying">
            {payer === null ? said.paysAll : said.pays(whoIs(scene, game, payer))}
            <span class="soft">{said.stakes(base, unit)}</span>
            {dealer.length > 0 && (
              <span class="soft">
                {said.dealerTai}: {dealer.map(({ name, tai }) => `${said.pattern(name)} ${said.tai(tai)}`).join(comma)}
              </span>
            )}
          </p>
        )}
        <Payments scene={scene} game={game} result={result} />
        {game.seed && <Proven key={game.seed} game={game} />}
      </div>
    </section>
  );
}

function Win({ scene, game, winner }: { scene: MahjongScene; game: Full; winner: MahjongWinner }) {
  const { room, words } = scene;
  const { house = {} } = room.options as MahjongOptions;
  const said = text.value;
  const counting = useSignal(false);
  const { seat, hand, win, drawn, patterns, tai } = winner;
  const player = game.players[seat]!;
  const rest = hand.filter((tile) => tile !== win);
  return (
    <article class="mj-win">
      <h2>
        {said.winner(whoIs(scene, game, seat), drawn)} <small>{said.tai(tai)}</small>
      </h2>
      <div class="mj-laid">
        <span class="mj-set" role="img" aria-label={tileNames(rest, words)}>
          {rest.map((tile) => (
            <Tile key={tile} tile={tile} />
          ))}
        </span>
        <span class="mj-set mj-winning">
          <Tile tile={win} label={`${said.winning}: ${tileName(win, words)}`} />
        </span>
        {player.sets.map((set, number) => (
          <Meld key={number} set={set} seat={seat} words={words} />
        ))}
        {player.flowers.length > 0 && (
          <span class="mj-set mj-laid-flowers" role="img" aria-label={tileNames(player.flowers, words)}>
            {player.flowers.map((tile) => (
              <Tile key={tile} tile={tile} />
            ))}
          </span>
        )}
      </div>
      <Patterns patterns={patterns} total={tai} />
      <button class="small quiet mj-explain-this" onClick={() => (counting.value = true)}>
        {said.explain.thisHand}
      </button>
      {counting.value && <Explain start={questionOf(game, winner, house)} onClose={() => (counting.value = false)} />}
    </article>
  );
}

export function Patterns({ patterns, total }: { patterns: readonly MahjongPattern[]; total: number }) {
  const said = text.value;
  return (
    <ul class="mj-patterns">
      {patterns.length === 0 && <li>{said.explain.none}</li>}
      {patterns.map(({ name, tai }) => (
        <li key={name}>
          <span>{said.pattern(name)}</span> <span>{said.tai(tai)}</span>
        </li>
      ))}
      <li class="mj-total">
        <span>{said.total}</span> <span>{said.tai(total)}</span>
      </li>
    </ul>
  );
}

function Payments({ scene, game, result }: ResultProps & { result: MahjongResult }) {
  const { nameAt, you, words } = scene;
  const said = text.value;
  return (
    <table class="mj-payments">
      <thead>
        <tr>
          <th scope="col">{said.player}</th>
          <th scope="col">{said.change}</th>
          <th scope="col">{said.sum}</th>
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
                    {words.mahjong.winds[wind]?.slice(0, 1)}
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
