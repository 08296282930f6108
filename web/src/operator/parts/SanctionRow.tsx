/** A sanction: whom it concerns, why, until when, and the way to lift it. */

import { useSignal } from "@preact/signals";
import type { OperatorTexts } from "../../i18n/types/operator";
import type { Sanction } from "../operatorTypes";
import { ActDialog } from "./ActDialog";
import { PersonLink } from "./PersonLink";
import { endText, timeText } from "./times";

interface SanctionRowProps {
  text: OperatorTexts;
  sanction: Sanction;
  /** Whether it says whom it concerns. */
  withTarget?: boolean;
  onDone: () => void;
}

export function SanctionRow({ text, sanction, withTarget, onDone }: SanctionRowProps) {
  const lifting = useSignal(false);
  const { kind, person, network, reason, made, ends, lifted, in_force: inForce } = sanction;
  const state = inForce ? endText(ends, text) : lifted !== null ? text.sanctions.lifted(timeText(lifted)) : text.sanctions.ended(timeText(ends ?? made));
  return (
    <li class="operator-row">
      <div class="operator-row-text">
        <span>
          <b>{text.kinds[kind]}</b>
          {inForce && <small class="operator-tag operator-tag-alert">{text.sanctions.inForce}</small>}
          {sanction.with_addresses && <small class="operator-tag">{text.sanctions.addresses}</small>}
          {withTarget && <> {person ? <PersonLink text={text} person={person} /> : <code>{network}</code>}</>}
        </span>
        <bdi class="operator-words">{reason}</bdi>
        <span class="soft operator-meta">
          #{sanction.id} · {timeText(made)} · {state}
        </span>
      </div>
      {inForce && (
        <button class="small" aria-label={`${text.sanctions.lift} #${sanction.id}`} onClick={() => (lifting.value = true)}>
          {text.sanctions.lift}
        </button>
      )}
      {lifting.value && (
        <ActDialog text={text} title={`${text.acts.lift}: ${text.kinds[kind]}`} button={text.acts.lift} path={`/sanctions/${sanction.id}/lift`} onDone={onDone} onClose={() => (lifting.value = false)} />
      )}
    </li>
  );
}
