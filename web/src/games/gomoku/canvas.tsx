/** The picture of the board; it has as many pixels as the screen and follows its size and the time of day. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { paint, type Picture } from "./paint";
import { DAY, NIGHT } from "./palette";

const DARK = "(prefers-color-scheme: dark)";

export function Canvas({ picture }: { picture: Picture }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const size = useSignal(0);
  const dark = useSignal(matchMedia(DARK).matches);

  useEffect(() => {
    const canvas = ref.current;
    if (!canvas) return;
    const measure = (exact?: number) => {
      const rough = canvas.getBoundingClientRect().width * devicePixelRatio;
      // The exact count knows how the browser rounded; an emulated screen may count something else.
      size.value = exact !== undefined && Math.abs(exact - rough) < 2 ? exact : Math.round(rough);
    };
    const observer = new ResizeObserver(([entry]) => measure(entry?.devicePixelContentBoxSize?.[0]?.inlineSize));
    try {
      observer.observe(canvas, { box: "device-pixel-content-box" });
    } catch {
      observer.observe(canvas); // A browser that cannot count device pixels.
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
    paint(context, size.value, dark.value ? NIGHT : DAY, picture);
  });

  // Read here, so that a new size or another time of day draws again.
  return <canvas ref={ref} class="gomoku-canvas" data-size={size.value} data-dark={dark.value} aria-hidden="true" />;
}
