/** The invitations: made, counted and revoked. A code is shown only when it is made. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { copyText } from "../../common/clipboard";
import type { OperatorTexts } from "../../i18n/types/operator";
import { timeOf } from "../entries";
import { useLoaded } from "../loading";
import { act, isFailure, type Failure } from "../operatorApi";
import type { Invitation } from "../operatorTypes";
import { ActDialog } from "../parts/ActDialog";
import { failureText, NotThere } from "../parts/FailureText";
import { endText, timeText } from "../parts/times";

export function Invitations({ text }: { text: OperatorTexts }) {
  const { invitations } = text;
  const { found, reload } = useLoaded<{ invitations: readonly Invitation[] }>("/invitations");
  const failure = useSignal<Failure | null>(null);
  const code = useSignal("");
  const copied = useSignal(false);
  const revoking = useSignal<Invitation | null>(null);
  const id = useId();
  const make = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const values = new FormData(form);
    const answer = await act<{ code: string }>("/invitations", { uses: Number(values.get("uses")), ends: timeOf(String(values.get("end"))), note: String(values.get("note")) });
    failure.value = isFailure(answer) ? answer : null;
    if (isFailure(answer)) return;
    form.reset();
    code.value = answer.code;
    copied.value = false;
    reload();
  };
  return (
    <section class="operator-card" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{invitations.title}</h2>
      <p class="soft">{invitations.note}</p>
      <div role="status">
        {code.value && (
          <div class="operator-row operator-code">
            <div class="operator-row-text">
              <b>{invitations.code(code.value)}</b>
              <span class="soft">{invitations.codeNote}</span>
            </div>
            <button class="small" onClick={() => void copyText(code.value).then((done) => (copied.value = done))}>
              {copied.value ? invitations.copied : invitations.copy}
            </button>
          </div>
        )}
      </div>
      <form class="operator-form" onSubmit={make}>
        <div class="field">
          <label for={`${id}-note`}>{invitations.for}</label>
          <input id={`${id}-note`} name="note" maxLength={300} />
        </div>
        <div class="operator-fields">
          <div class="field">
            <label for={`${id}-uses`}>{invitations.uses}</label>
            <input id={`${id}-uses`} name="uses" type="number" min={1} max={10_000} defaultValue="1" required />
          </div>
          <div class="field">
            <label for={`${id}-end`}>{invitations.end}</label>
            <input id={`${id}-end`} name="end" type="datetime-local" />
          </div>
        </div>
        <p class="operator-error" role="alert">
          {failure.value && failureText(text, failure.value)}
        </p>
        <button>{invitations.make}</button>
      </form>
      {found === null || isFailure(found) ? (
        <NotThere text={text} found={found} retry={reload} />
      ) : (
        <ul class="operator-rows">
          {found.invitations.map((invitation) => (
            <Row key={invitation.id} text={text} invitation={invitation} onRevoke={() => (revoking.value = invitation)} />
          ))}
        </ul>
      )}
      {revoking.value && (
        <ActDialog
          text={text}
          title={`${invitations.revoke.replace("…", "")} #${revoking.value.id}`}
          button={invitations.revoke.replace("…", "")}
          path={`/invitations/${revoking.value.id}/revoke`}
          reason="optional"
          note={revoking.value.note}
          onDone={reload}
          onClose={() => (revoking.value = null)}
        />
      )}
    </section>
  );
}

function Row({ text, invitation, onRevoke }: { text: OperatorTexts; invitation: Invitation; onRevoke: () => void }) {
  const { invitations } = text;
  const { id, note, made, ends, uses, used, revoked } = invitation;
  const isOver = ends !== null && ends <= Date.now();
  const state = revoked !== null ? invitations.revoked : isOver ? invitations.ended : ends === null ? "" : endText(ends, text);
  return (
    <li class={revoked !== null || isOver ? "operator-row operator-row-undone" : "operator-row"}>
      <div class="operator-row-text">
        <bdi>{note || `#${id}`}</bdi>
        <span class="soft operator-meta">{[`#${id}`, timeText(made), invitations.used(used, uses), state].filter(Boolean).join(" · ")}</span>
      </div>
      {revoked === null && !isOver && (
        <button class="small" aria-label={`${invitations.revoke} #${id}`} onClick={onRevoke}>
          {invitations.revoke}
        </button>
      )}
    </li>
  );
}
