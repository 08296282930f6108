/** The record of the game: every stone in order, and the way back and forward through them. */

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { time } from "../../session";
import { pageOf, turnTo, type GomokuScene } from "./lookback";
import { colourOfMove, coordinate } from "./position";
import { sgf } from "./sgf";

export function Moves({ scene }: { scene: GomokuScene }) {
  const { position, room, words } = scene;
  const list = useRef<HTMLOListElement>(null);
  const { step, total, earlier } = pageOf(scene);
  const moves = position?.moves ?? [];
  const text = words.gomoku;

  useLayoutEffect(() => {
    const box = list.current;
    if (!box) return;
    const show = () => {
      const current = box.querySelector<HTMLElement>("[aria-current]");
      box.scrollTop = current ? current.offsetTop - (box.clientHeight - current.offsetHeight) / 2 : 0;
    };
    const observer = new ResizeObserver(show);
    observer.observe(box);
    show();
    return () => observer.disconnect();
  }, [step, total]);

  const latest = useRef(scene);
  latest.current = scene;
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey && !typing) follow(latest.current, event);
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, []);

  const pairs = Array.from({ length: Math.ceil(total / 2) }, (_, pair) => [2 * pair, 2 * pair + 1] as const);
  return (
    <section class="moves" aria-labelledby="moves-title">
      <div class="moves-head">
        <h2 id="moves-title">{text.moves}</h2>
        <div class="moves-steps joined" role="group" aria-label={text.steps}>
          <Step label={text.first} path="M4 3v10M13 3L6.5 8l6.5 5z" off={step === 0} onClick={() => turnTo(scene, 0)} />
          <Step label={text.previous} path="M11.5 3L5 8l6.5 5z" off={step === 0} onClick={() => turnTo(scene, step - 1)} />
          <Step label={text.next} path="M4.5 3L11 8l-6.5 5z" off={!earlier} onClick={() => turnTo(scene, step + 1)} />
          <Step label={text.last} path="M12 3v10M3 3l6.5 5L3 13z" off={!earlier} onClick={() => turnTo(scene, total)} />
        </div>
      </div>
      <ol
        class="moves-list"
        ref={list}
        tabIndex={0}
        aria-labelledby="moves-title"
        onKeyDown={(event) => !event.shiftKey && follow(scene, event)}
      >
        {total === 0 && <li class="soft moves-none">{text.noMoves}</li>}
        {pairs.map((pair) => (
          <li class="moves-pair" key={pair[0]}>
            <span class="moves-number">{pair[0] / 2 + 1}</span>
            {pair.map((index) => {
              const cell = moves[index];
              if (cell === undefined) return null;
              return (
                <button
                  key={index}
                  class={`moves-move moves-${colourOfMove(index)}`}
                  tabIndex={-1}
                  aria-label={text.placed(colourOfMove(index), coordinate(cell))}
                  aria-current={index === step - 1 ? "step" : undefined}
                  onClick={() => turnTo(scene, index + 1)}
                >
                  {coordinate(cell)}
                </button>
              );
            })}
          </li>
        ))}
      </ol>
      {room.phase === "over" && total > 0 && (
        <button class="small moves-file" onClick={() => save(scene)}>
          {text.download}
        </button>
      )}
    </section>
  );
}

interface StepProps {
  label: string;
  path: string;
  off: boolean;
  onClick: () => void;
}

function Step({ label, path, off, onClick }: StepProps) {
  return (
    <button class="small step" aria-label={label} title={label} disabled={off} onClick={onClick}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
}

/** Go where a key leads, if it leads anywhere. */
function follow(scene: GomokuScene, event: KeyboardEvent): void {
  const { step, total } = pageOf(scene);
  const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: total }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  turnTo(scene, to);
}

function save({ room, position, nameAt }: GomokuScene): void {
  if (position === null) return;
  const { black, moves } = position;
  const names = { black: nameAt(black), white: nameAt(1 - black) };
  const text = sgf({ black, names, moves, result: room.result, day: new Date(time.now()) });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-go-sgf" }));
  link.download = `gomoku-${room.code}-${room.match}.sgf`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
