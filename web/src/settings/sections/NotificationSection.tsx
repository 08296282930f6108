/** Settings of notifications; only its button lets the browser ask for the permission. */

import { useEffect } from "preact/hooks";
import { askPermission, permission, updatePermission } from "../../sounds/notifications";
import { Section } from "../controls/Section";
import { Toggle } from "../controls/Toggle";
import { notifyChallenge, notifyOffer, notifySeat, notifyTurn } from "../soundSettings";
import type { SectionProps } from ".";
import "./notification-section.css";

export function NotificationSection({ text: { notifications: text } }: SectionProps) {
  useEffect(updatePermission, []);
  const now = permission.value;
  const missing = { default: text.notAsked, denied: text.denied, unsupported: text.unsupported, granted: null }[now];
  return (
    <Section title={text.title}>
      {missing && (
        <div class="permission">
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M3.5 11.5h9c-1-1-1.3-2-1.3-4.7C11.2 4.6 9.9 3.3 8 3.3S4.8 4.6 4.8 6.8c0 2.7-.3 3.700-1.300 4.700zM6.700 13.500h2.600" />
          </svg>
          <p>{missing}</p>
          {now === "default" && <button onClick={() => void askPermission()}>{text.allow}</button>}
        </div>
      )}
      {now !== "unsupported" && (
        <>
          <Toggle label={text.turn.label} note={text.turn.note} on={notifyTurn.value} onChange={(on) => (notifyTurn.value = on)} />
          <Toggle label={text.seat} on={notifySeat.value} onChange={(on) => (notifySeat.value = on)} />
          <Toggle label={text.offer.label} note={text.offer.note} on={notifyOffer.value} onChange={(on) => (notifyOffer.value = on)} />
          <Toggle label={text.challenge} on={notifyChallenge.value} onChange={(on) => (notifyChallenge.value = on)} />
        </>
      )}
    </Section>
  );
}
