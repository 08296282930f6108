/** All sanctions, the latest first, and the way to impose one on an account, an address or a range. */

import { useSignal } from "@preact/signals";
import { usePages } from "../loading";
import type { ViewProps } from "../OperatorPage";
import type { Sanction } from "../operatorTypes";
import { MoreRows } from "../parts/MoreRows";
import { SanctionDialog } from "../parts/SanctionDialog";
import { SanctionRow } from "../parts/SanctionRow";

export function SanctionsView({ text, me, reload }: ViewProps) {
  const { sanctions } = text;
  const inForce = useSignal(true);
  const imposing = useSignal(false);
  const changed = useSignal(0);
  const page = usePages<Sanction>("/sanctions", "sanctions", { in_force: inForce.value || "" }, changed);
  const done = () => {
    changed.value += 1;
    reload();
  };
  return (
    <section class="operator-card operator-details" aria-labelledby="operator-sanctions">
      <div class="operator-card-head">
        <h2 id="operator-sanctions">{text.views.sanctions}</h2>
        <label class="choice">
          <input type="checkbox" checked={inForce.value} onChange={(event) => (inForce.value = event.currentTarget.checked)} />
          {sanctions.inForceOnly}
        </label>
        <button class="primary" onClick={() => (imposing.value = true)}>
          {sanctions.impose}
        </button>
      </div>
      <ul class="operator-rows">
        {page.rows.map((sanction) => (
          <SanctionRow key={sanction.id} text={text} sanction={sanction} withTarget onDone={done} />
        ))}
      </ul>
      <MoreRows text={text} page={page} none={sanctions.none} />
      {imposing.value && <SanctionDialog text={text} person={null} mayUseRanges={me.role === "operator"} onDone={done} onClose={() => (imposing.value = false)} />}
    </section>
  );
}
