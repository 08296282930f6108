/** The results of two people against each other. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Avatar } from "../common/Avatar";
import { texts } from "../i18n/language";
import type { ProfileTexts } from "../i18n/types/profile";
import { retryingFetch } from "../net/retryingFetch";
import { state } from "../net/session";
import { fetchHeadToHead, type HeadToHead } from "./profileApi";

interface HeadToHeadProps {
  text: ProfileTexts;
  /** Whose profile it is. */
  name: string;
  /** Another account; empty for the user. */
  other: string;
}

/** Nothing is shown of people who have not played each other. */
export function HeadToHeadCard({ text, name, other }: HeadToHeadProps) {
  const found = useSignal<HeadToHead | null>(null);
  const self = state.value.name;
  useEffect(() => {
    const leaving = new AbortController();
    void fetchHeadToHead(name, other, retryingFetch(() => undefined, leaving.signal)).then((answer) => {
      if (!leaving.signal.aborted && typeof answer !== "string") found.value = answer;
    });
    return () => leaving.abort();
  }, [name, other, self]);
  if (found.value === null) return null;
  const { won, lost, drawn, last } = found.value;
  if (won + lost + drawn === 0) return null;
  const { myGames } = texts.value;
  const shown = other || text.you;
  return (
    <section class="profile-card" aria-label={other ? text.between(other, name) : text.youAnd(name)}>
      <h2>{other ? text.between(other, name) : text.youAnd(name)}</h2>
      <div class="head-to-head">
        <div>
          <Avatar name={other || self} />
          <bdi>{shown}</bdi>
        </div>
        <p class="head-to-head-score">
          {won}
          <span aria-hidden="true"> – </span>
          <span class="hidden">{text.to}</span>
          {lost}
        </p>
        <div>
          <Avatar name={name} />
          <bdi>{name}</bdi>
        </div>
      </div>
      <div class="head-to-head-last">
        <span class="soft">{text.lastGames(drawn)}</span>
        <ol>
          {last.map((result, number) => (
            <li key={number} class={`result-letter result-${result}`} aria-label={myGames[result]}>
              {text.letters[result]}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
