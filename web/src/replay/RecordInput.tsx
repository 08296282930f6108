/** Input for a record: paste, choose or drop a file. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { Problem } from "../games/gameInterface";
import { texts } from "../i18n/language";
import { MAX_LENGTH, openRecord } from "./openedRecord";

export function RecordInput() {
  const { replay } = texts.value;
  const text = useSignal("");
  const problem = useSignal<Problem | null>(null);

  const show = async (record: string) => {
    text.value = record;
    problem.value = await openRecord(record);
  };

  const take = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > MAX_LENGTH) {
      problem.value = { message: (now) => now.replay.errors.tooLarge };
      return;
    }
    const record = await file.text().catch(() => null);
    if (record === null) problem.value = { message: (now) => now.replay.errors.unreadable };
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
    <form class="record-input" onSubmit={submit}>
      <h2>{replay.open}</h2>
      <p class="soft">{replay.hint}</p>
      <label class="record-input-file">
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
        <p class="record-input-error" role="alert">
          {problem.value.message(texts.value)}
        </p>
      )}
      <div class="buttons">
        <button class="primary">{replay.show}</button>
      </div>
    </form>
  );
}
