/** The top of every page: the house, who you are, and the language. */

import { useSignal } from "@preact/signals";
import { choose, language, LANGUAGES, words, type Language } from "../i18n";
import { href } from "../route";
import { isUp, rename, state } from "../session";
import { audible, setAudible } from "../sound";
import { Mark } from "./mark";

/** What a narrow header has room for. */
const SHORT: Record<Language, string> = { "zh-Hant": "繁", "zh-Hans": "简", en: "EN" };

export function Header() {
  return (
    <header class="top">
      <a class="brand" href={href({ at: "lobby" })} aria-label={`Qipai 棋牌, ${words.value.toLobby}`}>
        <Mark />
        <span class="brand-name">
          Qipai <span lang="zh">棋牌</span>
        </span>
      </a>
      <span class="name-place" data-home="">
        <Name />
      </span>
      <Mute />
      <label class="language">
        <span class="language-short" aria-hidden="true">
          {SHORT[language.value]}
        </span>
        <select
          aria-label={words.value.language}
          value={language.value}
          onChange={(event) => choose(event.currentTarget.value as Language)}
        >
          {Object.entries(LANGUAGES).map(([tag, { name }]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </header>
  );
}

/** One switch for all sounds. */
function Mute() {
  const on = audible.value;
  return (
    <button
      class="quiet mute"
      role="switch"
      aria-checked={on}
      aria-label={words.value.sound}
      title={words.value.sound}
      onClick={() => setAudible(!on)}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path class="mute-horn" d="M2 6h2.5L8 3v10L4.5 10H2z" />
        <path d={on ? "M10.5 5.5a3.5 3.5 0 0 1 0 5M12.5 3.5a6.3 6.3 0 0 1 0 9" : "M10.5 6l4 4M14.5 6l-4 4"} />
      </svg>
    </button>
  );
}

function Name() {
  const editing = useSignal(false);
  const { you } = words.value;
  const { name } = state.value;
  if (!name) return <span class="name" />;
  if (!editing.value) {
    return (
      <button
        class="name quiet"
        title={you.change}
        aria-label={`${you.change}: ${name}`}
        disabled={!isUp.value}
        onClick={() => (editing.value = true)}
      >
        <span class="name-text">{name}</span>
        <svg class="pencil" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2.5 13.5l.6-3L10.6 3l2.4 2.4-7.5 7.5z" />
        </svg>
      </button>
    );
  }
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("name") as HTMLInputElement;
    const wanted = field.value.trim();
    if (wanted && wanted !== name) rename(wanted);
    editing.value = false;
  };
  return (
    <form class="name" onSubmit={save} onKeyDown={(event) => event.key === "Escape" && (editing.value = false)}>
      <input
        name="name"
        class="name-field"
        aria-label={you.label}
        defaultValue={name}
        maxLength={20}
        autocomplete="nickname"
        ref={(field) => field?.select()}
      />
      <button class="small">{you.save}</button>
    </form>
  );
}
