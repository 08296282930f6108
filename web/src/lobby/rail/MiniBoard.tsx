/** A small picture of a board as it is now. */

import { useEffect, useRef } from "preact/hooks";
import { READ_ONLY_SCENE, type Scene } from "../../games/gameInterface";
import { partsOf } from "../../games/gameRegistry";
import { texts } from "../../i18n/language";
import type { GameName, Seat } from "../../net/protocol";
import type { Room } from "../../net/roomReducer";
import { nameAt } from "../../table/turn";
import { appearance } from "../../settings/appearance";
import { readColours } from "../../settings/readColours";

interface MiniBoardProps {
  room: Room;
  you: Seat | null;
  /** Pixels of its side on the screen. */
  size: number;
}

export function MiniBoard({ room, you, size }: MiniBoardProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { game, position } = room;
  useEffect(() => {
    let current = true;
    const draw = async () => {
      const drawing = await partsOf(game)?.boardDrawing();
      const buffer = document.createElement("canvas");
      buffer.width = buffer.height = Math.round(size * devicePixelRatio);
      const context = buffer.getContext("2d");
      if (!drawing || !context || position === null) return;
      await drawing(context, buffer.width, sceneOf(room, you), readColours, false);
      // A later position may have been drawn first.
      if (!current || !canvas.current) return;
      canvas.current.width = canvas.current.height = buffer.width;
      canvas.current.getContext("2d")?.drawImage(buffer, 0, 0);
    };
    // Without its drawing the board stays empty.
    draw().catch(() => undefined);
    return () => void (current = false);
  }, [room.id, position, size, texts.value, appearance.value]);
  return <canvas class="mini-board" ref={canvas} aria-hidden="true" width={size} height={size} />;
}

function sceneOf(room: Room, you: Seat | null): Scene<GameName> {
  return {
    ...READ_ONLY_SCENE,
    room,
    position: room.position,
    you,
    cursor: null,
    setCursor: () => undefined,
    texts: texts.value,
    nameAt: (seat) => nameAt(room, seat),
  };
}
