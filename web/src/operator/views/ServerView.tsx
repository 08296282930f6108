/** The settings of the server: its notice, who may register, invitations, and roles. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { OperatorTexts } from "../../i18n/types/operator";
import { timeOf } from "../entries";
import { useLoaded } from "../loading";
import type { ViewProps } from "../OperatorPage";
import { act, isFailure, type Failure } from "../operatorApi";
import { REGISTRATIONS, type Overview, type PersonRef, type Registrations } from "../operatorTypes";
import { ActDialog } from "../parts/ActDialog";
import { failureText, NotThere } from "../parts/FailureText";
import { PersonLink } from "../parts/PersonLink";
import { RoleDialog } from "../parts/RoleDialog";
import { endText } from "../parts/times";
import { showToast } from "../../app/toastState";
import { Invitations } from "./Invitations";

export function ServerView({ text, me, reload }: ViewProps) {
  return (
    <div class="operator-cards">
      <div>
        <AnnouncementCard text={text} me={me} reload={reload} />
        <RolesCard text={text} />
      </div>
      <div>
        <RegistrationsCard text={text} me={me} reload={reload} />
        <Invitations text={text} />
      </div>
    </div>
  );
}

interface CardProps {
  text: OperatorTexts;
  me: Overview;
  reload: () => void;
}

function AnnouncementCard({ text, me, reload }: CardProps) {
  const { announcement } = text;
  const removing = useSignal(false);
  const failure = useSignal<Failure | null>(null);
  const id = useId();
  const show = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const values = new FormData(form);
    const answer = await act("/announcement", { text: String(values.get("text")).trim(), ends: timeOf(String(values.get("end"))), reason: String(values.get("reason")) });
    failure.value = isFailure(answer) ? answer : null;
    if (failure.value !== null) return;
    form.reset();
    showToast(text.done);
    reload();
  };
  const shown = me.announcement;
  return (
    <section class="operator-card" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{announcement.title}</h2>
      <p class="soft">{announcement.note}</p>
      {shown ? (
        <div class="operator-row">
          <div class="operator-row-text">
            <b>{announcement.now}</b>
            <bdi class="operator-words">{shown.text}</bdi>
            {shown.ends !== null && <span class="soft operator-meta">{endText(shown.ends, text)}</span>}
          </div>
          <button class="small" onClick={() => (removing.value = true)}>
            {announcement.remove}
          </button>
        </div>
      ) : (
        <p>{announcement.none}</p>
      )}
      <form class="operator-form" onSubmit={show}>
        <div class="field">
          <label for={`${id}-text`}>{announcement.label}</label>
          <textarea id={`${id}-text`} name="text" rows={3} maxLength={500} required />
        </div>
        <div class="field">
          <label for={`${id}-end`}>{announcement.end}</label>
          <input id={`${id}-end`} name="end" type="datetime-local" />
        </div>
        <div class="field">
          <label for={`${id}-reason`}>{text.reason}</label>
          <input id={`${id}-reason`} name="reason" maxLength={300} aria-describedby={`${id}-note`} />
          <p class="soft" id={`${id}-note`}>
            {text.reasonOptional}
          </p>
        </div>
        <p class="operator-error" role="alert">
          {failure.value && failureText(text, failure.value)}
        </p>
        <button class="primary">{announcement.show}</button>
      </form>
      {removing.value && (
        <ActDialog
          text={text}
          title={announcement.remove.replace("…", "")}
          button={announcement.remove.replace("…", "")}
          path="/announcement"
          body={() => ({ text: "" })}
          reason="optional"
          note={announcement.removeNote}
          onDone={reload}
          onClose={() => (removing.value = false)}
        />
      )}
    </section>
  );
}

function RegistrationsCard({ text, me, reload }: CardProps) {
  const { registrations } = text;
  const wanted = useSignal<Registrations | null>(null);
  const id = useId();
  return (
    <section class="operator-card" aria-labelledby={id}>
      <h2 id={id}>{registrations.title}</h2>
      <div class="segments" role="group" aria-labelledby={id}>
        {REGISTRATIONS.map((mode) => (
          <button key={mode} type="button" class="quiet operator-mode" aria-pressed={me.registrations === mode} onClick={() => me.registrations !== mode && (wanted.value = mode)}>
            {registrations.modes[mode]}
          </button>
        ))}
      </div>
      {wanted.value !== null && (
        <ActDialog
          text={text}
          title={text.log.withValue(registrations.title, registrations.modes[wanted.value])}
          button={registrations.change.replace("…", "")}
          path="/registrations"
          body={() => ({ registrations: wanted.value })}
          reason="optional"
          onDone={reload}
          onClose={() => (wanted.value = null)}
        />
      )}
    </section>
  );
}

function RolesCard({ text }: { text: OperatorTexts }) {
  const { roleList } = text;
  const { found, reload } = useLoaded<{ roles: readonly PersonRef[] }>("/roles");
  const giving = useSignal(false);
  const removing = useSignal<PersonRef | null>(null);
  const id = useId();
  return (
    <section class="operator-card" aria-labelledby={id}>
      <h2 id={id}>{roleList.title}</h2>
      <p class="soft">{roleList.note}</p>
      {found === null || isFailure(found) ? (
        <NotThere text={text} found={found} retry={reload} />
      ) : (
        <ul class="operator-rows">
          {found.roles.map((person) => (
            <li key={person.person} class="operator-row">
              <PersonLink text={text} person={person} />
              <button class="small" aria-label={`${roleList.remove} ${person.name}`} onClick={() => (removing.value = person)}>
                {roleList.remove}
              </button>
            </li>
          ))}
        </ul>
      )}
      <button onClick={() => (giving.value = true)}>{roleList.give}</button>
      {giving.value && <RoleDialog text={text} person={null} onDone={reload} onClose={() => (giving.value = false)} />}
      {removing.value && (
        <ActDialog
          text={text}
          title={`${roleList.remove.replace("…", "")}: ${removing.value.name}`}
          button={roleList.remove.replace("…", "")}
          path="/roles"
          body={() => ({ role: null, person: removing.value!.person })}
          reason="optional"
          onDone={reload}
          onClose={() => (removing.value = null)}
        />
      )}
    </section>
  );
}
