/** A page that says one thing and offers a way on: nothing here, table or game not found, a seat to take. */

import { toChildArray, type ComponentChildren } from "preact";
import { texts } from "../i18n/language";
import { Logo } from "./Logo";
import { href } from "./route";

interface MessagePageProps {
  title: string;
  text?: string;
  /** Other ways on; the way to the lobby is the last one. */
  children?: ComponentChildren;
}

export function MessagePage({ title, text, children }: MessagePageProps) {
  return (
    <section class="message-page" role="alert">
      <Logo />
      <h1>{title}</h1>
      {text && <p class="soft">{text}</p>}
      <div class="buttons">
        {children}
        <LobbyLink primary={toChildArray(children).length === 0} />
      </div>
    </section>
  );
}

function LobbyLink({ primary }: { primary: boolean }) {
  return (
    <a class={primary ? "button primary" : "button"} href={`/${href({ at: "lobby" })}`}>
      {texts.value.notFound.back}
    </a>
  );
}

/** The page for an address that leads nowhere. */
export function NotFoundPage() {
  const { title, text } = texts.value.notFound;
  return <MessagePage title={title} text={text} />;
}
