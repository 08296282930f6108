/** Draws a QR code as SVG, with its quiet zone. */

import { useMemo } from "preact/hooks";
import { qrModules, type Modules } from "./qrModules";

interface QrImageProps {
  text: string;
  /** Text alternative for screen readers. */
  label: string;
}

/** Renders nothing if the text is too long for a readable code. */
export function QrImage({ text, label }: QrImageProps) {
  const code = useMemo(() => qrModules(text), [text]);
  if (code === null) return null;
  const side = code.length;
  return (
    <svg class="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path class="qr-paper" d={`M0 0h${side}v${side}H0z`} />
      <path class="qr-ink" d={modulePath(code)} />
    </svg>
  );
}

/** Return a path with one stroke for every run of dark modules. */
function modulePath(code: Modules): string {
  return code
    .flatMap((row, y) => {
      const line = row.map((black) => (black ? "1" : "0")).join("");
      return [...line.matchAll(/1+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`);
    })
    .join("");
}
