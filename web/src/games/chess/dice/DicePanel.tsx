/** The three dice, and statistics of all rolls. */

import type { ChessDiceRoll } from "../../../net/protocol";
import { dieStatus } from "./dieStatus";
import type { ChessScene } from "../moveNavigation";
import { fullPosition, fullDice, type FullPosition, type FullDice } from "../position";
import { diceTally, skippedDice } from "./diceHistory";
import { Piece } from "../PlayerBadge";
import type { Colour, Kind } from "../squares";
import "./dice.css";

/** The current dice, and after the game all rolls. */
export function DicePanel({ scene }: { scene: ChessScene }) {
  const { position, room, texts } = scene;
  const game = position && fullPosition(position);
  if (!game || (!game.dice && game.rolls.length === 0)) return null;
  return (
    <section class="panel dice-panel" aria-label={texts.games.chess.dice}>
      {room.phase === "playing" && game.dice ? (
        <CurrentDice scene={scene} game={game} hand={fullDice(game.dice)} />
      ) : (
        <Statistics scene={scene} game={game} />
      )}
    </section>
  );
}

interface CurrentDiceProps {
  scene: ChessScene;
  game: FullPosition;
  hand: FullDice;
}

function CurrentDice({ scene, game, hand }: CurrentDiceProps) {
  const { you, mayMove, play, texts, nameAt, room } = scene;
  const text = texts.games.chess;
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
      {/* A new roll is a new list, so that it is animated. */}
      <ol class="dice" key={`${room.match} ${game.rolls.length}`}>
        {[0, 1, 2].map((index) => (
          <Die key={index} scene={scene} hand={hand} index={index} />
        ))}
      </ol>
    </>
  );
}

function anyOrder({ current, free }: FullDice): boolean {
  return current < 0 && !free;
}

function Die({ scene, hand, index }: { scene: ChessScene; hand: FullDice; index: number }) {
  const text = scene.texts.games.chess;
  const kind = hand.dice[index] as Kind | undefined;
  if (kind === undefined) return <li class="die die-none" aria-hidden="true" />;
  const is = dieStatus(hand, index);
  const labels = { next: text.dieNext, used: text.dieUsed, skipped: text.dieSkipped, open: text.dieOpen }[is];
  return (
    <li class={`die die-${is}`} aria-current={is === "next" ? "step" : undefined}>
      <Piece kind={kind} colour="white" />
      <span class="die-name">{text.pieces[kind]}</span>
      <small class="die-status">{labels}</small>
    </li>
  );
}

/** Small dice of an earlier roll. */
export function DiceRow({ roll, colour, rerolledText }: { roll: ChessDiceRoll; colour: Colour; rerolledText: string }) {
  return (
    <span class={`roll roll-${colour}`} title={rerolledText || undefined}>
      {[...roll.dice].map((kind, index) => (
        <span key={index} class={`roll-die roll-${{ x: "used", "-": "skipped" }[roll.used[index] ?? "."] ?? "open"}`}>
          <Piece kind={kind as Kind} colour={colour} />
        </span>
      ))}
      {rerolledText && <small class="soft">↻</small>}
    </span>
  );
}

/** Statistics of all rolls. */
function Statistics({ scene, game }: { scene: ChessScene; game: FullPosition }) {
  const { texts, nameAt } = scene;
  const text = texts.games.chess;
  const kinds = diceTally(game.rolls);
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
            const { dice, skipped } = skippedDice(game.rolls, seat);
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
