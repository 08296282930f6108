/** Calculator: enter a hand and see its tai. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../../../i18n/language";
import { SheetDialog } from "../../../dialogs/SheetDialog";
import { TileFaces } from "../tiles/TileFaces";
import { withTile, fetchScore, EMPTY_REQUEST, tileCount, usedTiles, type ScoreResponse, type Flag, type Form, type ScoreRequest } from "./scoreRequest";
import { Patterns } from "./HandResult";
import { Kind } from "../tiles/Tile";
import { EAST, FLOWER, KINDS } from "../tiles/tiles";
import "../styles/tiles.css";
import "../styles/score-calculator.css";

const FORMS: readonly (Form | null)[] = [null, "chow", "pong", "kong", "ckong"];
const FLAGS: readonly Flag[] = ["rob", "kong_bloom", "last", "heaven", "earth", "human"];

interface ScoreCalculatorProps {
  start?: ScoreRequest;
  onClose: () => void;
}

export function ScoreCalculator({ start = EMPTY_REQUEST, onClose }: ScoreCalculatorProps) {
  const text = texts.value.games.mahjong.table.calculator;
  const { games: { mahjong } } = texts.value;
  const question = useSignal(start);
  const form = useSignal<Form | null>(null);
  const answer = useSignal<ScoreResponse | "busy" | "not" | "failed" | null>(null);
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (answer.value !== null && answer.value !== "busy") result.current?.scrollIntoView({ block: "center" });
  }, [answer.value]);
  const removeLabel = (kind: number, last: boolean) => {
    const label = text.remove(mahjong.tiles[kind] ?? "");
    return last ? texts.value.punctuation.withNote(label, text.win) : label;
  };
  const now = question.value;
  const { have, need } = tileCount(now);
  const change = (some: Partial<ScoreRequest>) => {
    question.value = { ...now, ...some };
    answer.value = null;
  };
  const ask = async (event: SubmitEvent) => {
    event.preventDefault();
    answer.value = "busy";
    try {
      answer.value = (await fetchScore(now)) ?? "not";
    } catch {
      answer.value = "failed";
    }
  };
  const without = <T,>(list: readonly T[], index: number) => list.filter((_, number) => number !== index);
  const found = answer.value;
  return (
    <SheetDialog title={text.title} className="mj-calculator" onClose={onClose}>
      <TileFaces />
      <form class="sheet-form" onSubmit={(event) => void ask(event)}>
        <div class="sheet-fields">
          <p class="soft">{text.hint}</p>
          <div class="segments" role="group" aria-label={text.kind}>
            {([13, 16] as const).map((variant) => (
              <label class="segment" key={variant}>
                <input type="radio" name="variant" checked={now.variant === variant} onChange={() => change({ variant })} />
                <span>{variant === 13 ? mahjong.options.thirteen : mahjong.options.sixteen}</span>
              </label>
            ))}
          </div>
          <fieldset class="mj-built">
            <legend>{text.handTiles(now.hand.length)}</legend>
            <div class="mj-line">
              {now.hand.map((kind, index) => (
                <TileButton
                  key={index}
                  kind={kind}
                  label={removeLabel(kind, index === now.hand.length - 1)}
                  won={index === now.hand.length - 1 && have === need}
                  onClick={() => change({ hand: without(now.hand, index) })}
                />
              ))}
            </div>
            {now.melds.length > 0 && (
              <div class="mj-line">
                {now.melds.map(({ form: made, kinds }, index) => (
                  <button
                    key={index}
                    type="button"
                    class="mj-pick-set"
                    aria-label={text.remove(`${text.forms[made]} ${mahjong.tiles[kinds[0]!] ?? ""}`)}
                    onClick={() => change({ melds: without(now.melds, index) })}
                  >
                    {kinds.map((kind, number) => (
                      <Kind key={number} kind={kind} />
                    ))}
                  </button>
                ))}
              </div>
            )}
            {now.flowers.length > 0 && (
              <div class="mj-line">
                {now.flowers.map((kind, index) => (
                  <TileButton
                    key={kind}
                    kind={kind}
                    label={text.remove(mahjong.tiles[kind] ?? "")}
                    onClick={() => change({ flowers: without(now.flowers, index) })}
                  />
                ))}
              </div>
            )}
          </fieldset>
          <div class="mj-picker">
            <label class="field-line">
              <span>{text.as}</span>
              <select value={form.value ?? ""} onChange={(event) => (form.value = (event.currentTarget.value || null) as Form | null)}>
                {FORMS.map((one) => (
                  <option key={one} value={one ?? ""}>
                    {one === null ? text.toHand : text.forms[one]}
                  </option>
                ))}
              </select>
            </label>
            {[[0, 9], [9, 18], [18, EAST], [EAST, FLOWER], [FLOWER, KINDS]].map(([from, to]) => (
              <div class="mj-line" key={from}>
                {Array.from({ length: to! - from! }, (_, index) => from! + index).map((kind) => (
                  <TileButton
                    key={kind}
                    kind={kind}
                    label={text.add(mahjong.tiles[kind] ?? "")}
                    disabled={usedTiles(now, kind) >= (kind < FLOWER ? 4 : 1)}
                    onClick={() => change(withTile(now, kind, form.value))}
                  />
                ))}
              </div>
            ))}
          </div>
          <div class="fields">
            {(["roundWind", "seatWind"] as const).map((which) => (
              <label class="field" key={which}>
                <span>{text[which]}</span>
                <select value={now[which]} onChange={(event) => change({ [which]: Number(event.currentTarget.value) })}>
                  {mahjong.winds.map((wind, number) => (
                    <option key={wind} value={number}>
                      {wind}
                    </option>
                  ))}
                </select>
              </label>
            ))}
          </div>
          <fieldset class="mj-flags">
            <legend class="hidden">{text.flags}</legend>
            <Checkbox label={text.selfDraw} on={now.selfDraw} onChange={(selfDraw) => change({ selfDraw })} />
            <Checkbox label={text.isDealer} on={now.dealer} onChange={(dealer) => change({ dealer })} />
            {FLAGS.map((flag) => (
              <Checkbox
                key={flag}
                label={text.flag[flag]}
                on={now.flags.includes(flag)}
                onChange={(on) => change({ flags: on ? [...now.flags, flag] : now.flags.filter((one) => one !== flag) })}
              />
            ))}
          </fieldset>
          <div role="status" ref={result}>
            {have !== need && have > 0 && <p class="soft">{text.incomplete(have, need)}</p>}
            {found === "not" && <p>{text.notAWin}</p>}
            {found === "failed" && <p>{text.failed}</p>}
            {found !== null && typeof found === "object" && (
              <Patterns patterns={Object.entries(found.patterns).map(([name, tai]) => ({ name, tai }))} total={found.total} />
            )}
          </div>
        </div>
        <div class="buttons sheet-foot">
          <button type="button" onClick={() => change(EMPTY_REQUEST)}>
            {text.clear}
          </button>
          <button class="primary" disabled={have !== need || found === "busy"}>
            {text.count}
          </button>
        </div>
      </form>
    </SheetDialog>
  );
}

interface TileButtonProps {
  kind: number;
  label: string;
  won?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

function TileButton({ kind, label, won = false, disabled = false, onClick }: TileButtonProps) {
  return (
    <button type="button" class={`mj-pick ${won ? "mj-pick-won" : ""}`} aria-label={label} disabled={disabled} onClick={onClick}>
      <Kind kind={kind} />
    </button>
  );
}

function Checkbox({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label class="choice">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
