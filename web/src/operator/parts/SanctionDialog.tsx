/** The dialog in which a person, an account or a network is warned, muted, kept from rated play or banned. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { OperatorTexts } from "../../i18n/types/operator";
import { DURATIONS, endOf, isRange, timeOf } from "../entries";
import { SANCTION_KINDS, type PersonRef, type SanctionKind } from "../operatorTypes";
import { ActDialog, type Values } from "./ActDialog";

interface SanctionDialogProps {
  text: OperatorTexts;
  /** Null: an account or a network is typed. */
  person: Pick<PersonRef, "person" | "name"> | null;
  mayUseRanges: boolean;
  onDone: () => void;
  onClose: () => void;
}

type Target = "account" | "network";
const OTHER = "other";

export function SanctionDialog({ text, person, mayUseRanges, onDone, onClose }: SanctionDialogProps) {
  const { sanctions } = text;
  const kind = useSignal<SanctionKind>("mute");
  const target = useSignal<Target>("account");
  const duration = useSignal<string>("24");
  const network = useSignal("");
  const id = useId();
  const byNetwork = person === null && target.value === "network";
  const kinds = SANCTION_KINDS.filter((each) => !(byNetwork && each === "warning"));
  const body = (values: Values) => ({
    kind: kind.value,
    ends: duration.value === OTHER ? timeOf(values["end"] ?? "") : endOf(Number(duration.value), Date.now()),
    ...(person ? { person: person.person } : byNetwork ? { network: network.value.trim() } : { account: values["account"] }),
    ...(values["addresses"] && kind.value === "ban" && { with_addresses: true }),
  });
  const chooseTarget = (wanted: Target) => {
    target.value = wanted;
    if (wanted === "network" && kind.value === "warning") kind.value = "ban";
  };
  return (
    <ActDialog
      text={text}
      title={person ? sanctions.imposeOn(person.name || person.person) : sanctions.impose.replace("…", "")}
      button={sanctions.confirm[kind.value]}
      path="/sanctions"
      body={body}
      isShown
      onDone={onDone}
      onClose={onClose}
    >
      {person === null && (
        <fieldset>
          <legend>{sanctions.target}</legend>
          <div class="segments">
            {(["account", "network"] as const).map((each) => (
              <label key={each} class="segment">
                <input type="radio" name="target" value={each} checked={target.value === each} onChange={() => chooseTarget(each)} />
                {each === "account" ? sanctions.targetAccount : sanctions.targetNetwork}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {person === null && !byNetwork && (
        <div class="field">
          <label for={`${id}-account`}>{sanctions.account}</label>
          <input id={`${id}-account`} name="account" required maxLength={40} autocapitalize="none" spellcheck={false} />
        </div>
      )}
      {byNetwork && (
        <div class="field">
          <label for={`${id}-network`}>{sanctions.network}</label>
          <input
            id={`${id}-network`}
            required
            maxLength={64}
            autocapitalize="none"
            spellcheck={false}
            value={network.value}
            onInput={(event) => (network.value = event.currentTarget.value)}
            aria-describedby={`${id}-network-note`}
          />
          <p class="soft" id={`${id}-network-note`}>
            {sanctions.networkNote}
          </p>
          {mayUseRanges && network.value.includes("/") && isRange(network.value.trim()) && <p role="status">{sanctions.rangeWarning}</p>}
        </div>
      )}
      <fieldset>
        <legend>{sanctions.kind}</legend>
        {kinds.map((each) => (
          <label key={each} class="choice">
            <input type="radio" name="kind" value={each} checked={kind.value === each} onChange={() => (kind.value = each)} />
            <span>
              {text.kinds[each]}
              <small class="soft operator-choice-note">{sanctions.kindNotes[each]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="operator-fields">
        <div class="field">
          <label for={`${id}-duration`}>{sanctions.duration}</label>
          <select id={`${id}-duration`} value={duration.value} onChange={(event) => (duration.value = event.currentTarget.value)}>
            {DURATIONS.map((hours) => (
              <option key={hours} value={String(hours)}>
                {sanctions.durations[hours]}
              </option>
            ))}
            <option value={OTHER}>{sanctions.otherEnd}</option>
          </select>
        </div>
        {duration.value === OTHER && (
          <div class="field">
            <label for={`${id}-end`}>{sanctions.end}</label>
            <input id={`${id}-end`} name="end" type="datetime-local" required />
          </div>
        )}
      </div>
      {person !== null && kind.value === "ban" && (
        <label class="choice">
          <input type="checkbox" name="addresses" value="yes" />
          <span>
            {sanctions.withAddresses}
            <small class="soft operator-choice-note">{sanctions.withAddressesNote}</small>
          </span>
        </label>
      )}
    </ActDialog>
  );
}
