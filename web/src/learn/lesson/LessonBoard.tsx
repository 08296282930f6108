/** The live board of a step: the game's own board, with a local position. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { partsOf } from "../../games/gameRegistry";
import { READ_ONLY_SCENE, type Scene } from "../../games/gameInterface";
import { texts } from "../../i18n/language";
import { completeRoom } from "../../net/roomReducer";
import type { AnyMove, GameName, SeatView } from "../../net/protocol";
import { isReading, positionAt, sameMove, type Judgement, type Moment } from "../judge";
import type { AnyLessons, Step } from "../lessonTypes";
import type { LearnTexts } from "../texts/types";

/** Milliseconds for which a wrong move stays on the board. */
const WRONG_MOVE_TIME = 500;

interface LessonBoardProps {
  game: string;
  lessons: AnyLessons;
  step: Step<GameName>;
  moment: Moment;
  learn: LearnTexts;
  /** By seat. */
  names: readonly string[] | undefined;
  judge: (move: AnyMove) => Judgement;
  onTry: (move: AnyMove, judgement: Judgement) => void;
}

export function LessonBoard({ game, lessons, step, moment, learn, names, judge, onTry }: LessonBoardProps) {
  const parts = partsOf(game)!;
  const draft = useSignal<AnyMove | null>(null);
  const wrong = useSignal<AnyMove | null>(null);
  const position = positionAt(step, moment);
  const open = moment.end === undefined && !isReading(step);
  useEffect(() => {
    if (wrong.value === null) return;
    const timer = setTimeout(() => (wrong.value = null), WRONG_MOVE_TIME);
    return () => clearTimeout(timer);
  }, [wrong.value]);

  const attempt = (move: AnyMove) => {
    if (!open) return;
    const judgement = judge(move);
    draft.value = null;
    // The board shows the move until it is taken back.
    wrong.value = judgement.kind === "right" ? null : move;
    onTry(move, judgement);
  };

  const seats = Array.from({ length: lessons.seats ?? 2 }, (_, seat) => ({ name: seat === step.you ? learn.you : (names?.[seat] ?? learn.opponent) }) as SeatView);
  const room = completeRoom({
    id: "lesson", code: "", game, options: lessons.boardOptions?.(step.options) ?? step.options, table: {}, phase: "playing", seats, match: 1, commitment: "",
    position, to_act: open ? [step.you] : [],
  });
  const scene: Scene<GameName> = {
    ...READ_ONLY_SCENE,
    room,
    position,
    you: step.you,
    live: true,
    pending: wrong.value,
    mayMove: open && wrong.value === null,
    play: attempt,
    draft: draft.value,
    setDraft: (move) => {
      // A board makes a draft of a move that it knows to be refused.
      if (move && stageRefuses(step, moment, move)) attempt(move);
      else draft.value = move;
    },
    cursor: null,
    setCursor: () => undefined,
    texts: texts.value,
    nameAt: (seat) => seats[seat]?.name ?? "",
  };
  const status = open ? parts.status(scene) : null;
  const buttons = status?.buttons ?? (status?.button ? [status.button] : []);
  const pressed = (event: MouseEvent) => {
    const part = event.target instanceof Element ? event.target.closest<HTMLElement>("[aria-disabled=true]") : null;
    const move = part && open ? lessons.blockedMove?.(part.dataset, position) : null;
    if (move) attempt(move);
  };
  return (
    <div class="lesson-board" onClickCapture={pressed}>
      {lessons.Board ? <lessons.Board scene={scene} step={step.id} /> : <parts.Board scene={scene} />}
      {parts.Panel && <parts.Panel scene={scene} />}
      {!lessons.Board && buttons.length > 0 && (
        <div class="lesson-choices" role="group">
          {buttons.map(({ label, press }) => (
            <button key={label} onClick={press}>
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function stageRefuses(step: Step<GameName>, { stage }: Moment, move: AnyMove): boolean {
  return step.stages[stage]!.refused?.some((one) => sameMove(one.move, move)) ?? false;
}
