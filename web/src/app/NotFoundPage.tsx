/** The page for an address that leads nowhere. */

import { texts } from "../i18n/language";
import { href } from "./route";

export function NotFoundPage() {
  const { notFound } = texts.value;
  return (
    <div class="message-page">
      <h1>{notFound.title}</h1>
      <p>{notFound.text}</p>
      <div class="buttons">
        <a class="button primary" href={`/${href({ at: "lobby" })}`}>
          {notFound.back}
        </a>
      </div>
    </div>
  );
}
