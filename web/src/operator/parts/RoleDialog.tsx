/** The dialog that gives an account a role, or takes it away. */

import { useId } from "preact/hooks";
import type { OperatorTexts } from "../../i18n/types/operator";
import type { PersonRef } from "../operatorTypes";
import { ActDialog } from "./ActDialog";

interface RoleDialogProps {
  text: OperatorTexts;
  /** Null: the name of an account is typed. */
  person: PersonRef | null;
  onDone: () => void;
  onClose: () => void;
}

export function RoleDialog({ text, person, onDone, onClose }: RoleDialogProps) {
  const { people, roleList } = text;
  const id = useId();
  const button = (person ? people.setRole : roleList.give).replace("…", "");
  return (
    <ActDialog
      text={text}
      title={person ? `${button}: ${person.name}` : button}
      button={button}
      path="/roles"
      body={({ role, account }) => ({ role: role || null, ...(person ? { person: person.person } : { account }) })}
      reason="optional"
      note={roleList.note}
      onDone={onDone}
      onClose={onClose}
    >
      {person === null && (
        <div class="field">
          <label for={`${id}-account`}>{roleList.account}</label>
          <input id={`${id}-account`} name="account" required maxLength={40} autocapitalize="none" spellcheck={false} />
        </div>
      )}
      <div class="field">
        <label for={`${id}-role`}>{people.role}</label>
        <select id={`${id}-role`} name="role" defaultValue={person?.role || "moderator"}>
          {(["moderator", "operator"] as const).map((role) => (
            <option key={role} value={role}>
              {text.roles[role]}
            </option>
          ))}
          {person?.role && <option value="">{people.noRole}</option>}
        </select>
      </div>
    </ActDialog>
  );
}
