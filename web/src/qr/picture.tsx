/** A QR code as a picture, with the white border that readers need. */

import { useMemo } from "preact/hooks";
import { squares, type Squares } from "./squares";

const BORDER = 4;

interface PictureProps {
  text: string;
  /** What the picture is, for those who cannot see it. */
  label: string;
}

/** Nothing, if the text is too long for a code that a phone would read. */
export function Picture({ text, label }: PictureProps) {
  const code = useMemo(() => squares(text), [text]);
  if (code === null) return null;
  const side = code.length + 2 * BORDER;
  return (
    <svg class="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path class="qr-paper" d={`M0 0h${side}v${side}H0z`} />
      <path class="qr-ink" d={path(code)} />
    </svg>
  );
}

/** Return one stroke for every run of black squares in a row. */
function path(code: Squares): string {
  return code
    .flatMap((row, y) => {
      const line = row.map((black) => (black ? "1" : "0")).join("");
      return [...line.matchAll(/1+/g)].map(({ index, 0: run }) => {
        return `M${index + BORDER} ${y + BORDER}h${run.length}v1h-${run.length}z`;
      });
    })
    .join("");
}
