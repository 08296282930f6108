/** The name of a person, with a link to what operators know of them. */

import { href } from "../../app/route";
import { shownName } from "../../i18n/language";
import type { OperatorTexts } from "../../i18n/types/operator";
import type { PersonRef } from "../operatorTypes";

export function PersonLink({ text, person }: { text: OperatorTexts; person: Pick<PersonRef, "person" | "name"> & Partial<PersonRef> }) {
  return (
    <span class="operator-person">
      <a href={href({ at: "operator", view: "people", id: person.person })}>
        <bdi>{shownName(person.name) || person.person}</bdi>
      </a>
      {person.account === false && <small class="operator-tag">{text.person.guest}</small>}
      {person.role && <small class="operator-tag operator-tag-role">{text.roles[person.role]}</small>}
    </span>
  );
}
