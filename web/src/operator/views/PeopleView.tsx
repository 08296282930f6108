/** People: searched by name, and shown one by one. */

import { useSignal } from "@preact/signals";
import type { OperatorTexts } from "../../i18n/types/operator";
import { useLoaded } from "../loading";
import type { ViewProps } from "../OperatorPage";
import { isFailure } from "../operatorApi";
import type { FoundPerson } from "../operatorTypes";
import { NotThere } from "../parts/FailureText";
import { PersonLink } from "../parts/PersonLink";
import { SearchForm } from "../parts/SearchForm";
import { PersonView } from "./PersonView";

export function PeopleView({ text, id, me, reload }: ViewProps) {
  const wanted = useSignal("");
  const { people } = text;
  return (
    <div class={id ? "operator-columns operator-columns-chosen" : "operator-columns operator-columns-one"}>
      <section class="operator-list" aria-label={people.search}>
        <SearchForm label={people.label} hint={people.hint} button={people.search} value={wanted.value} onSearch={(text) => (wanted.value = text)} />
        {wanted.value && <Found key={wanted.value} text={text} wanted={wanted.value} />}
      </section>
      {id && <PersonView key={id} text={text} id={id} me={me} onDone={reload} />}
    </div>
  );
}

function Found({ text, wanted }: { text: OperatorTexts; wanted: string }) {
  const { found, reload } = useLoaded<{ people: readonly FoundPerson[] }>("/people", { q: wanted });
  if (found === null || isFailure(found)) return <NotThere text={text} found={found} retry={reload} />;
  return (
    <>
      <ul class="operator-rows">
        {found.people.map((person) => (
          <li key={person.person} class="operator-row">
            <div class="operator-row-text">
              <span>
                <PersonLink text={text} person={person} />
                {person.online && <small class="operator-tag operator-tag-good">{text.person.online}</small>}
                {person.sanctions.map((each) => (
                  <small key={each.id} class="operator-tag operator-tag-alert">
                    {text.kinds[each.kind]}
                  </small>
                ))}
              </span>
              {person.names.some((name) => name !== person.name) && <span class="soft operator-meta">{text.people.knownAs(person.names.join(" · "))}</span>}
            </div>
          </li>
        ))}
      </ul>
      <p class="soft operator-note" role="status">
        {found.people.length === 0 && text.people.none}
      </p>
    </>
  );
}
