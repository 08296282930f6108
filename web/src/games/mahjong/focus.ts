/** Where the keyboard goes on after a button that was pressed is gone. */

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** Lead whoever plays by keyboard to the next hand or back to his tiles, once what he pressed has disappeared. */
export function useKeptFocus(): void {
  const held = useRef(false);
  useEffect(() => {
    const moved = ({ target }: FocusEvent) => {
      held.current = target instanceof Element && target.matches(".mj-front :focus-visible");
    };
    addEventListener("focusin", moved);
    return () => removeEventListener("focusin", moved);
  }, []);
  useLayoutEffect(() => {
    if (!held.current || document.activeElement !== document.body) return;
    const next = document.querySelector<HTMLElement>(".mj-next:enabled");
    (next ?? document.querySelector<HTMLElement>('.mj-hand button[tabindex="0"]'))?.focus();
  });
}
