/** Where a record comes in: pasted, chosen or dropped. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { Problem } from "../games/game";
import { words } from "../i18n";
import { LONGEST, openRecord } from "../replay";

export function Opener() {
  const { replay } = words.value;
  const text = useSignal("");
  const problem = useSignal<Problem | null>(null);

  const show = async (record: string) => {
    text.value = record;
    problem.value = await openRecord(record);
  };

  const take = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > LONGEST) {
      problem.value = { says: (now) => now.replay.wrong.large };
      return;
    }
    const record = await file.text().catch(() => null);
    if (record === null) problem.value = { says: (now) => now.replay.wrong.unread };
    else await show(record);
  };

  useLayoutEffect(() => {
    const drop = (event: DragEvent) => {
      event.preventDefault();
      if (event.type === "drop") void take(event.dataTransfer?.files[0]);
    };
    addEventListener("dragover", drop);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", drop);
      removeEventListener("drop", drop);
    };
  }, []);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void show(text.value);
  };
  return (
    <form class="opener" onSubmit={submit}>
      <h2>{replay.open}</h2>
      <p class="soft">{replay.hint}</p>
      <label class="opener-file">
        <input
          type="file"
          class="hidden"
          accept=".pgn,.sgf,.txt"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
        <span class="button">{replay.file}</span>
        <span class="soft">{replay.drop}</span>
      </label>
      <label class="field">
        <span>{replay.paste}</span>
        <textarea
          rows={8}
          spellcheck={false}
          autocomplete="off"
          placeholder="1. e4 e5 2. Nf3 …"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
      {problem.value && (
        <p class="opener-wrong" role="alert">
          {problem.value.says(words.value)}
        </p>
      )}
      <div class="buttons">
        <button class="primary">{replay.show}</button>
      </div>
    </form>
  );
}
