/** Buttons on a profile: challenge, follow, and block in a small menu. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { isRefusal, type Refusal } from "../account/accountApi";
import type { RelationTexts } from "../i18n/types/relations";
import { ChallengeDialog } from "./ChallengeDialog";
import { refreshFollowing } from "./following";
import { changeRelation, type Relation, type RelationChange } from "./relationsApi";
import "./styles/actions.css";

interface RelationActionsProps {
  text: RelationTexts;
  name: string;
  relation: Relation;
  onChange: (relation: Relation) => void;
}

export function RelationActions({ text, name, relation, onChange }: RelationActionsProps) {
  const choosing = useSignal(false);
  const waiting = useSignal(false);
  const refusal = useSignal<Refusal | null>(null);
  const { followed, blocked } = relation;
  const change = async (kind: RelationChange) => {
    waiting.value = true;
    const answer = await changeRelation(kind, name);
    waiting.value = false;
    refusal.value = isRefusal(answer) ? answer : null;
    if (isRefusal(answer)) return;
    onChange(afterChange(relation, kind));
    void refreshFollowing();
  };
  return (
    <div class="relation-actions" data-home="button">
      {blocked && <span class="soft">{text.youBlocked(name)}</span>}
      {!blocked && relation.takes_challenges && (
        <button class="primary" aria-haspopup="dialog" onClick={() => (choosing.value = true)}>
          {text.challenge}
        </button>
      )}
      {!blocked && (
        <button disabled={waiting.value} aria-label={followed ? text.unfollowOf(name) : text.followOf(name)} onClick={() => void change(followed ? "unfollow" : "follow")}>
          {followed ? text.unfollow : text.follow}
        </button>
      )}
      {blocked ? (
        <button disabled={waiting.value} onClick={() => void change("unblock")}>
          {text.unblock(name)}
        </button>
      ) : (
        <MoreMenu text={text}>
          <p class="soft">{text.blockNote}</p>
          <button disabled={waiting.value} onClick={() => void change("block")}>
            {text.block(name)}
          </button>
        </MoreMenu>
      )}
      <p class="account-error" role="alert">
        {refusal.value && relationError(text, refusal.value)}
      </p>
      {choosing.value && <ChallengeDialog text={text} name={name} onClose={() => (choosing.value = false)} />}
    </div>
  );
}

/** Escape closes it. */
function MoreMenu({ text, children }: { text: RelationTexts; children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !menu.current?.open) return;
    menu.current.open = false;
    menu.current.querySelector("summary")?.focus();
  };
  return (
    <details class="more-menu" ref={menu} onKeyDown={onKeyDown}>
      <summary class="button" aria-label={text.more} title={text.more}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="4.500" cy="10" r="1.500" />
          <circle cx="10" cy="10" r="1.500" />
          <circle cx="15.500" cy="10" r="1.500" />
        </svg>
      </summary>
      <div class="more-menu-body">{children}</div>
    </details>
  );
}

/** Return what the user is to a player after a change: a block ends that they follow each other. */
export function afterChange(relation: Relation, change: RelationChange): Relation {
  const offline = { online: false, table: null };
  switch (change) {
    case "follow":
      return { ...relation, followed: true };
    case "unfollow":
      return { ...relation, ...offline, followed: false };
    case "block":
      return { ...relation, ...offline, followed: false, blocked: true };
    case "unblock":
      return { ...relation, blocked: false };
  }
}

export function relationError(text: RelationTexts, { error }: Refusal): string {
  return text.errors[error] ?? text.errors.other;
}
