/** Form to join a table by its code. */

import { useSignal } from "@preact/signals";
import { texts } from "../i18n/language";
import { go, normalizeCode } from "../app/route";
import { isConnected } from "../net/session";

export function JoinByCode() {
  const { lobby } = texts.value;
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
        onInput={(event) => (code.value = normalizeCode(event.currentTarget.value))}
        maxLength={12}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
      />
      <button disabled={!isConnected.value || !code.value}>{lobby.go}</button>
    </form>
  );
}
