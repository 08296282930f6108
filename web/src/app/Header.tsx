/** The header: logo, player name, sound, settings and language. */

import { useSignal } from "@preact/signals";
import { chooseLanguage, language, texts } from "../i18n/language";
import { LANGUAGES, type Language } from "../i18n/languages";
import { href, isPageAddress, route, type Route } from "./route";
import { rename } from "../net/commands";
import { isConnected, state } from "../net/session";
import { playTone, setSoundOn, soundOn } from "../table/tones";
import { Avatar } from "../common/Avatar";
import { Dialog } from "../dialogs/Dialog";
import { SettingsButton } from "../settings/SettingsButton";
import { WaitingElsewhere } from "../lobby/mine/WaitingElsewhere";
import { Logo } from "./Logo";

export function Header() {
  return (
    <header class={`top ${route.value.at === "table" || route.value.at === "game" ? "top-table" : ""}`}>
      <a class="brand" href={linkTo({ at: "lobby" })} aria-label={texts.value.punctuation.labelled("Qipai 棋牌", texts.value.toLobby)}>
        <Logo />
        <span class="brand-name">
          Qipai <span lang="zh">棋牌</span>
        </span>
      </a>
      <nav class="nav">
        <NavLink to={{ at: "lobby" }} text={texts.value.play} />
        <NavLink to={{ at: "mine" }} text={texts.value.myGames.title} />
        <NavLink to={{ at: "replay" }} text={texts.value.finishedGames.title} />
        <NavLink to={{ at: "learn", game: "", page: "" }} text={texts.value.learn} />
        <NavLink to={{ at: "leaderboards", category: "" }} text={texts.value.players} />
      </nav>
      <WaitingElsewhere />
      <span class="name-place" data-home="">
        <PlayerName />
      </span>
      <SoundSwitch />
      <SettingsButton />
      <label class="language">
        <span class="language-short" aria-hidden="true">
          {LANGUAGES[language.value].short}
        </span>
        <select
          aria-label={texts.value.language}
          value={language.value}
          onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}
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

/** Return the link to a route; a wrong address has no routes of its own. */
const linkTo = (to: Route): string => (isPageAddress() ? href(to) : `/${href(to)}`);

function NavLink({ to, text }: { to: Route; text: string }) {
  return (
    <a href={linkTo(to)} aria-current={route.value.at === to.at ? "page" : undefined}>
      {text}
    </a>
  );
}

/** Switches all sounds on or off. */
function SoundSwitch() {
  const on = soundOn.value;
  return (
    <button
      class="quiet header-icon"
      role="switch"
      aria-checked={on}
      aria-label={texts.value.sound}
      title={texts.value.sound}
      onClick={() => {
        setSoundOn(!on);
        playTone("move");
      }}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path class="header-icon-filled" d="M2 6h2.5L8 3v10L4.5 10H2z" />
        <path d={on ? "M10.5 5.5a3.5 3.5 0 0 1 0 5M12.5 3.5a6.3 6.3 0 0 1 0 9" : "M10.5 6l4 4M14.5 6l-4 4"} />
      </svg>
    </button>
  );
}

function PlayerName() {
  const editing = useSignal(false);
  const { playerName, punctuation } = texts.value;
  const { name, account } = state.value;
  if (!name) return <span class="name" />;
  const label = punctuation.labelled(account ? playerName.account : playerName.change, name);
  const shown = (
    <>
      <Avatar name={name} />
      <bdi class="name-text">{name}</bdi>
    </>
  );
  if (account) {
    return (
      <a class="name button quiet" href={linkTo({ at: "account" })} title={label} aria-label={label}>
        {shown}
      </a>
    );
  }
  return (
    <>
      <button class="name quiet" title={label} aria-label={label} aria-haspopup="dialog" disabled={!isConnected.value} onClick={() => (editing.value = true)}>
        {shown}
        <svg class="pencil" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2.5 13.5l.6-3L10.6 3l2.4 2.4-7.5 7.5z" />
        </svg>
      </button>
      {editing.value && <NameDialog name={name} onClose={() => (editing.value = false)} />}
    </>
  );
}

/** A guest chooses a name, or goes on to sign in. */
function NameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { playerName } = texts.value;
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("name") as HTMLInputElement;
    const wanted = field.value.trim();
    if (wanted && wanted !== name) rename(wanted);
    onClose();
  };
  return (
    <Dialog title={playerName.change} onClose={onClose}>
      <form class="name-form" onSubmit={save}>
        <input name="name" class="name-field" aria-label={playerName.label} defaultValue={name} maxLength={20} autocomplete="nickname" autofocus ref={(field) => field?.select()} />
        <button class="primary">{playerName.save}</button>
      </form>
      <p class="soft">{playerName.accountNote}</p>
      <a class="button" href={linkTo({ at: "account" })} onClick={onClose}>
        {playerName.signIn}
      </a>
    </Dialog>
  );
}
