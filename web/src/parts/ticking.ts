/** Draws a component again every so often, while there is something to count. */

import { useEffect, useState } from "preact/hooks";

export function useTicking(on: boolean, every: number): void {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => redraw((count) => count + 1), every);
    return () => clearInterval(timer);
  }, [on, every]);
}
