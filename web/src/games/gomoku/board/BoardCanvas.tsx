/** Canvas of the board in device pixels; follows size and colour scheme. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { paintBoard, type BoardContent } from "./paintBoard";
import { LIGHT_COLOURS, DARK_COLOURS } from "./boardColours";

const DARK = "(prefers-color-scheme: dark)";

export function BoardCanvas({ picture }: { picture: BoardContent }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const size = useSignal(0);
  const dark = useSignal(matchMedia(DARK).matches);

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
    const changed = (event: MediaQueryListEvent) => (dark.value = event.matches);
    const night = matchMedia(DARK);
    addEventListener("resize", zoomed);
    night.addEventListener("change", changed);
    measure();
    return () => {
      observer.disconnect();
      removeEventListener("resize", zoomed);
      night.removeEventListener("change", changed);
    };
  }, []);

  useLayoutEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext("2d", { alpha: false });
    if (!canvas || !context || size.value === 0) return;
    if (canvas.width !== size.value) canvas.width = canvas.height = size.value;
    paintBoard(context, size.value, dark.value ? DARK_COLOURS : LIGHT_COLOURS, picture);
  });

  // Read here, so that a new size or colour scheme repaints the board.
  return <canvas ref={ref} class="gomoku-canvas" data-size={size.value} data-dark={dark.value} aria-hidden="true" />;
}
