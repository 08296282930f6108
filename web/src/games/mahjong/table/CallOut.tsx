/** Large call-outs at the seats of the callers: 吃 碰 槓 胡 自摸. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Texts } from "../../../i18n/types";
import type { Seat } from "../../../net/protocol";
import { pace } from "../../../common/windowSize";
import type { FullPosition } from "../position";
import { callsBetween, type Call, type CallName } from "./calls";

/** Milliseconds that a call-out is shown at normal speed. */
export const CALL_TIME = 900;

const SIGNS: Readonly<Record<CallName, string>> = { chow: "吃", pong: "碰", kong: "槓", hu: "胡", drawn: "自摸" };
const RAYS = Array.from({ length: 28 }, (_, number) => ray(number)).join("");
const SEAL = Array.from({ length: 40 }, (_, number) => edge(number, 64)).join("");

/** Return a ray of the halo; the lengths differ. */
function ray(number: number): string {
  const turn = (number / 28) * 2 * Math.PI;
  const long = 80 + ((number * 7) % 5) * 3.5;
  const at = (radius: number) => `${Math.round(100 + radius * Math.cos(turn))} ${Math.round(100 + radius * Math.sin(turn))}`;
  return `M${at(71)}L${at(long)}`;
}

/** Return a point of the edge of the seal, which is not quite round. */
function edge(number: number, radius: number): string {
  const turn = (number / 40) * 2 * Math.PI;
  const rough = radius + ((number * 13) % 7) - 3;
  return `${number ? "L" : "M"}${(100 + rough * Math.cos(turn)).toFixed(1)} ${(100 + rough * Math.sin(turn)).toFixed(1)}`;
}

interface CallOutsProps {
  game: FullPosition;
  seats: readonly Seat[];
  texts: Texts;
}

/** Screen readers read the announcement of the event instead. */
export function CallOuts({ game, seats, texts }: CallOutsProps) {
  const before = useRef(game);
  const shown = useSignal<{ calls: readonly Call[]; number: number }>({ calls: [], number: 0 });
  useEffect(() => {
    const calls = callsBetween(before.current, game);
    before.current = game;
    if (calls.length > 0 && pace() > 0) shown.value = { calls, number: shown.value.number + 1 };
  });
  const { calls, number } = shown.value;
  useEffect(() => {
    const timer = setTimeout(() => (shown.value = { ...shown.value, calls: [] }), CALL_TIME * pace());
    return () => clearTimeout(timer);
  }, [number]);
  return (
    <>
      {calls.map(({ seat, name }) => (
        <CallOut key={`${number}/${seat}`} name={name} side={seats.indexOf(seat)} texts={texts} />
      ))}
    </>
  );
}

function CallOut({ name, side, texts: { games } }: { name: CallName; side: number; texts: Texts }) {
  const { actions, selfDrawn } = games.mahjong;
  const word = name === "drawn" ? selfDrawn : actions[name];
  const isSign = /^\p{Script=Han}+$/u.test(word);
  const sign = isSign ? word : SIGNS[name];
  return (
    <svg class={`mj-call mj-call-${side}`} viewBox="0 0 200 200" aria-hidden="true">
      <path class="mj-call-rays" d={RAYS} />
      <path class="mj-call-seal" d={`${SEAL}Z`} />
      <circle class="mj-call-ring" cx="100" cy="100" r="56" />
      <text class="mj-call-sign" x="100" y={isSign ? 105 : 96} font-size={sign.length > 1 ? 52 : 86}>
        {sign}
      </text>
      {!isSign && (
        <text class="mj-call-word" x="100" y="178">
          {word}
        </text>
      )}
    </svg>
  );
}
