/** Figures of a finished chess game beside an engine: computed on request, and no verdict. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { language } from "../../i18n/language";
import type { OperatorTexts } from "../../i18n/types/operator";
import { isFailure, read, type Failure } from "../operatorApi";
import type { Comparison, ReportRow, SeatRow } from "../operatorTypes";
import { failureText } from "../parts/FailureText";

/** Milliseconds between two questions whether the figures are there. */
const ASK_EVERY = 2_000;

interface EngineProps {
  text: OperatorTexts;
  report: ReportRow & { seats: readonly SeatRow[] };
}

export function EngineFigures({ text, report }: EngineProps) {
  const { engine } = text;
  const found = useSignal<Comparison | Failure | "computing" | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const gone = useRef(false);
  useEffect(
    () => () => {
      gone.current = true;
      clearTimeout(timer.current);
    },
    [],
  );
  const compute = async () => {
    found.value = "computing";
    const answer = await read<Comparison | { status: string }>(`/games/${report.room}/${report.match}/engine`, { unrated: true });
    if (gone.current) return;
    if ("status" in answer || (isFailure(answer) && answer.error === "busy")) timer.current = setTimeout(() => void compute(), ASK_EVERY);
    else found.value = answer;
  };
  const shown = found.value;
  if (shown === null) return <button onClick={() => void compute()}>{engine.compare}</button>;
  if (shown === "computing") {
    return (
      <p class="soft" role="status">
        {engine.computing}
      </p>
    );
  }
  if (isFailure(shown)) {
    const why = shown.error === "not_comparable" ? engine.notComparable : shown.error === "unknown" ? engine.notArchived : failureText(text, shown);
    return (
      <>
        <p role="alert">{why}</p>
        <button onClick={() => void compute()}>{text.retry}</button>
      </>
    );
  }
  const number = (value: number, digits = 0) => value.toLocaleString(language.value, { maximumFractionDigits: digits });
  const seconds = (millis: number) => engine.seconds(number(millis / 1000, 1));
  return (
    <>
      <h3>{engine.title}</h3>
      <div class="operator-figures-table" tabIndex={0} role="group" aria-label={engine.title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{engine.player}</th>
              <th scope="col">{engine.agreement}</th>
              <th scope="col">{engine.loss}</th>
              <th scope="col">{engine.time}</th>
            </tr>
          </thead>
          <tbody>
            {shown.sides.map((side) => (
              <tr key={side.seat}>
                <th scope="row">
                  <bdi>{report.seats.find(({ seat }) => seat === side.seat)?.name ?? side.seat + 1}</bdi>
                </th>
                <td>{engine.share(number(side.agreement, 1), number(side.agreed), number(side.compared))}</td>
                <td>{number(side.average_loss, 1)}</td>
                <td>
                  {seconds(side.average_millis)} · {seconds(side.median_millis)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft operator-meta">{engine.note(shown.engine, number(shown.nodes))}</p>
    </>
  );
}
