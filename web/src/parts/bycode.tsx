/** A seat by the code that somebody told us. */

import { useSignal } from "@preact/signals";
import { words } from "../i18n";
import { go, tidyCode } from "../route";
import { isUp } from "../session";

export function ByCode() {
  const { lobby } = words.value;
  const code = useSignal("");
  const join = (event: SubmitEvent) => {
    event.preventDefault();
    if (code.value) go({ at: "code", code: code.value });
  };
  return (
    <form class="joined by-code" onSubmit={join} aria-label={lobby.join} title={lobby.joinHint}>
      <input
        class="code-field"
        aria-label={lobby.code}
        placeholder={lobby.code}
        value={code.value}
        onInput={(event) => (code.value = tidyCode(event.currentTarget.value))}
        maxLength={12}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
      />
      <button disabled={!isUp.value || !code.value}>{lobby.go}</button>
    </form>
  );
}
