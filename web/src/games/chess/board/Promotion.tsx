/** Choice of the promotion piece. */

import { useEffect, useRef } from "preact/hooks";
import { texts } from "../../../i18n/language";
import { Piece } from "../PlayerBadge";
import type { Colour, Kind } from "../squares";

const CHOICES: readonly Kind[] = ["Q", "N", "R", "B"];

interface PromotionProps {
  square: string;
  colour: Colour;
  orientation: Colour;
  onPick: (kind: Kind) => void;
  onCancel: () => void;
}

export function Promotion({ square, colour, orientation, onPick, onCancel }: PromotionProps) {
  const text = texts.value.games.chess;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("button")?.focus(), []);
  const file = square.charCodeAt(0) - 97;
  const column = orientation === "white" ? file : 7 - file;
  const above = colour === orientation;
  return (
    <div
      ref={box}
      class={above ? "promotion" : "promotion promotion-below"}
      style={{ left: `${column * 12.5}%` }}
      role="group"
      aria-label={text.promote}
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      {CHOICES.map((kind) => (
        <button key={kind} type="button" aria-label={text.pieces[kind]} title={text.pieces[kind]} onClick={() => onPick(kind)}>
          <Piece kind={kind} colour={colour} />
        </button>
      ))}
    </div>
  );
}
