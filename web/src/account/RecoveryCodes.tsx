/** New recovery codes, which are shown once. */

import { useSignal } from "@preact/signals";
import { copyText } from "../common/clipboard";
import type { AccountTexts } from "../i18n/types/account";

interface CodesProps {
  text: AccountTexts;
  codes: readonly string[];
  onDone: () => void;
}

export function RecoveryCodes({ text, codes, onDone }: CodesProps) {
  const copied = useSignal(false);
  const lines = codes.join("\n");
  return (
    <section class="account-panel account-codes" aria-labelledby="codes-title">
      <h2 id="codes-title" tabIndex={-1} ref={(title) => title?.focus()}>
        {text.codes.title}
      </h2>
      <p>{text.codes.note}</p>
      <ol class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="buttons">
        <button onClick={() => void copyText(lines).then((done) => (copied.value = done))}>{copied.value ? text.codes.copied : text.codes.copy}</button>
        <a class="button" download={text.codes.fileName} href={`data:text/plain;charset=utf-8,${encodeURIComponent(`Qipai\n\n${lines}\n`)}`}>
          {text.codes.save}
        </a>
        <button class="primary" onClick={onDone}>
          {text.codes.done}
        </button>
      </div>
    </section>
  );
}
