/** The clipboard, also where the browser keeps it from us: on pages without TLS, as in a club's own network. */

/** Return whether the text could be copied. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byHand(text);
  }
}

/** Do what somebody would do by hand: mark the text and copy what is marked. */
function byHand(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.style.cssText = "position:fixed;top:0;opacity:0";
  document.body.append(field);
  field.select();
  // Nothing else copies where there is no clipboard; browsers have promised to keep it.
  const done = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
}
