/** Hook: renders again at an interval. */

import { useEffect, useState } from "preact/hooks";

export function useInterval(on: boolean, every: number): void {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => redraw((count) => count + 1), every);
    return () => clearInterval(timer);
  }, [on, every]);
}
