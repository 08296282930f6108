/** The dice: three cards as they are thrown, used and skipped, and the throws of the whole game counted. */

import type { ChessThrown } from "../../wire";
import { fate } from "./fate";
import type { ChessScene } from "./lookback";
import { full, fullHand, type Full, type FullHand } from "./position";
import { tally, waste } from "./rolls";
import { Piece } from "./signs";
import type { Colour, Kind } from "./squares";
import "./dice.css";

/** What lies beside the board: the dice, and after the game all that were thrown. */
export function Panel({ scene }: { scene: ChessScene }) {
  const { position, room, words } = scene;
  const game = position && full(position);
  if (!game || (!game.hand && game.thrown.length === 0)) return null;
  return (
    <section class="panel dice-panel" aria-label={words.chess.dice}>
      {room.phase === "playing" && game.hand ? (
        <Hand scene={scene} game={game} hand={fullHand(game.hand)} />
      ) : (
        <Statistics scene={scene} game={game} />
      )}
    </section>
  );
}

interface HandProps {
  scene: ChessScene;
  game: Full;
  hand: FullHand;
}

function Hand({ scene, game, hand }: HandProps) {
  const { you, mayMove, play, words, nameAt, room } = scene;
  const text = words.chess;
  const name = nameAt(hand.owner);
  const waits = hand.free && hand.kept && room.to_act[0] !== hand.owner;
  const note = waits ? text.diceKept(name) : !hand.dice ? text.noDice : anyOrder(hand) ? text.diceAnyOrder : "";
  return (
    <>
      <div class="dice-head">
        <strong>{hand.owner === you ? text.diceYours : text.diceOf(name)}</strong>
        <small class="soft dice-note" title={note}>
          {note}
        </small>
        {hand.skip && mayMove && (
          <button class="small" onClick={() => play({ do: "skip" })}>
            {text.skip}
          </button>
        )}
        {hand.reroll && mayMove && (
          <button class="small" onClick={() => play({ do: "reroll" })}>
            {text.reroll(hand.rerolls[you ?? 0] ?? 0)}
          </button>
        )}
      </div>
      {/* A new throw is a new list, so that it tumbles. */}
      <ol class="dice" key={`${room.match} ${game.thrown.length}`}>
        {[0, 1, 2].map((index) => (
          <Die key={index} scene={scene} hand={hand} index={index} />
        ))}
      </ol>
    </>
  );
}

function anyOrder({ current, free }: FullHand): boolean {
  return current < 0 && !free;
}

function Die({ scene, hand, index }: { scene: ChessScene; hand: FullHand; index: number }) {
  const text = scene.words.chess;
  const kind = hand.dice[index] as Kind | undefined;
  if (kind === undefined) return <li class="die die-none" aria-hidden="true" />;
  const is = fate(hand, index);
  const said = { next: text.dieNext, used: text.dieUsed, skipped: text.dieSkipped, open: text.dieOpen }[is];
  return (
    <li class={`die die-${is}`} aria-current={is === "next" ? "step" : undefined}>
      <Piece kind={kind} colour="white" />
      <span class="die-name">{text.pieces[kind]}</span>
      <small class="die-fate">{said}</small>
    </li>
  );
}

/** The three dice of an earlier throw, small. */
export function DiceRow({ thrown, colour, again }: { thrown: ChessThrown; colour: Colour; again: string }) {
  return (
    <span class={`cast cast-${colour}`} title={again || undefined}>
      {[...thrown.dice].map((kind, index) => (
        <span key={index} class={`cast-die cast-${{ x: "used", "-": "skipped" }[thrown.used[index] ?? "."] ?? "open"}`}>
          <Piece kind={kind as Kind} colour={colour} />
        </span>
      ))}
      {again && <small class="soft">↻</small>}
    </span>
  );
}

/** How often each kind came up, for whoever wonders about luck. */
function Statistics({ scene, game }: { scene: ChessScene; game: Full }) {
  const { words, nameAt } = scene;
  const text = words.chess;
  const kinds = tally(game.thrown);
  return (
    <details class="dice-statistics" open>
      <summary>{text.statistics}</summary>
      <table>
        <thead>
          <tr>
            <td />
            {kinds.map(({ kind }) => (
              <th key={kind} scope="col" aria-label={text.pieces[kind]} title={text.pieces[kind]}>
                <Piece kind={kind} colour="white" />
              </th>
            ))}
            <th scope="col">{text.skipped}</th>
          </tr>
        </thead>
        <tbody>
          {[game.white, 1 - game.white].map((seat) => {
            const { dice, skipped } = waste(game.thrown, seat);
            return (
              <tr key={seat}>
                <th scope="row">
                  <bdi>{nameAt(seat)}</bdi>
                </th>
                {kinds.map(({ kind, counts }) => (
                  <td key={kind}>{counts[seat]}</td>
                ))}
                <td>
                  {skipped}/{dice}
                </td>
              </tr>
            );
          })}
          <tr class="soft">
            <th scope="row">{text.share} %</th>
            {kinds.map(({ kind, share }) => (
              <td key={kind}>{Math.round(100 * share)}</td>
            ))}
            <td />
          </tr>
        </tbody>
      </table>
    </details>
  );
}
