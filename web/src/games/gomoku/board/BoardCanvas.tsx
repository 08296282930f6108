/** Canvas of the board in device pixels; follows its size and look. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { appearance } from "../../../settings/appearance";
import { readColours } from "../../../settings/readColours";
import { paintBoard, type BoardContent } from "./paintBoard";
import { boardColours, type BoardColours } from "./boardColours";

export function BoardCanvas({ picture }: { picture: BoardContent }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const size = useSignal(0);
  const colours = useRef<{ look: number; colours: BoardColours }>(null);

  useEffect(() => {
    const canvas = ref.current;
    if (!canvas) return;
    const measure = (exact?: number) => {
      const rough = canvas.getBoundingClientRect().width * devicePixelRatio;
      // The exact pixel count includes the browser's rounding; emulated screens may differ.
      size.value = exact !== undefined && Math.abs(exact - rough) < 2 ? exact : Math.round(rough);
    };
    const observer = new ResizeObserver(([entry]) => measure(entry?.devicePixelContentBoxSize?.[0]?.inlineSize));
    try {
      observer.observe(canvas, { box: "device-pixel-content-box" });
    } catch {
      observer.observe(canvas); // For browsers without device-pixel-content-box.
    }
    const zoomed = () => measure();
    addEventListener("resize", zoomed);
    measure();
    return () => {
      observer.disconnect();
      removeEventListener("resize", zoomed);
    };
  }, []);

  useLayoutEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext("2d", { alpha: false });
    if (!canvas || !context || size.value === 0) return;
    if (canvas.width !== size.value) canvas.width = canvas.height = size.value;
    if (colours.current?.look !== appearance.value) colours.current = { look: appearance.value, colours: boardColours(readColours) };
    paintBoard(context, size.value, colours.current.colours, picture);
  });

  // Read here, so that a new size or look repaints the board.
  return <canvas ref={ref} class="gomoku-canvas" data-size={size.value} data-look={appearance.value} aria-hidden="true" />;
}
