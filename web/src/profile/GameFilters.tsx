/** Filters for the games of a person: the game as chips, all else folded. */

import { GameIcon } from "../common/GameIcon";
import { gameName, texts } from "../i18n/language";
import type { ProfileTexts } from "../i18n/types/profile";
import { ALL_GAMES, type PersonGameFilter, type ResultCount } from "./profileApi";
import { twistName } from "./twistName";

interface GameFiltersProps {
  text: ProfileTexts;
  /** What the person has played. */
  results: readonly ResultCount[];
  filter: PersonGameFilter;
  /** The name of the user, if there is a choice of games with the user. */
  withYou: string;
  onChange: (filter: PersonGameFilter) => void;
}

export function GameFilters({ text, results, filter, withYou, onChange }: GameFiltersProps) {
  const games = [...new Set(results.map(([game]) => game))];
  const twists = [...new Set(results.filter(([game, twist]) => game === filter.game && twist).map(([, twist]) => twist))];
  const isWithYou = withYou !== "" && filter.opponent === withYou;
  const chips = [
    { label: texts.value.finishedGames.all, icon: "", on: filter.game === "" && !isWithYou, wanted: ALL_GAMES },
    ...games.map((game) => ({ label: gameName(game), icon: game, on: filter.game === game, wanted: { ...filter, game, twist: "" } })),
    ...(withYou ? [{ label: text.withYou, icon: "", on: isWithYou, wanted: { ...ALL_GAMES, opponent: isWithYou ? "" : withYou } }] : []),
  ];
  const change = (more: Partial<PersonGameFilter>) => onChange({ ...filter, ...more });
  return (
    <div class="game-filters">
      <div class="game-chips" role="group" aria-label={texts.value.finishedGames.game}>
        {chips.map(({ label, icon, on, wanted }) => (
          <button key={label} class="game-chip" aria-pressed={on} onClick={() => onChange(wanted)}>
            {icon && <GameIcon game={icon} />}
            {label}
          </button>
        ))}
      </div>
      <details class="game-filters-more">
        <summary>{text.filters}</summary>
        <form class="game-filters-fields" onSubmit={(event) => event.preventDefault()}>
          {twists.length > 1 && (
            <label class="field">
              <span>{texts.value.playButtons.twist}</span>
              <select value={filter.twist} onChange={(event) => change({ twist: event.currentTarget.value })}>
                <option value="">{text.any}</option>
                {twists.map((twist) => (
                  <option key={twist} value={twist}>
                    {twistName(filter.game, twist)}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label class="field">
            <span>{text.result}</span>
            <select value={filter.result} onChange={(event) => change({ result: event.currentTarget.value as PersonGameFilter["result"] })}>
              <option value="">{text.any}</option>
              {(["won", "lost", "drawn"] as const).map((result) => (
                <option key={result} value={result}>
                  {texts.value.myGames[result]}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>{text.opponents}</span>
            <select value={filter.against} onChange={(event) => change({ against: event.currentTarget.value as PersonGameFilter["against"] })}>
              <option value="">{text.any}</option>
              <option value="people">{text.against.people}</option>
              <option value="bots">{text.against.bots}</option>
            </select>
          </label>
          <label class="field">
            <span>{text.opponent}</span>
            <input value={filter.opponent} maxLength={40} autocomplete="off" onChange={(event) => change({ opponent: event.currentTarget.value })} />
          </label>
          <label class="field">
            <span>{text.from}</span>
            <input type="date" value={filter.from} onChange={(event) => change({ from: event.currentTarget.value })} />
          </label>
          <label class="field">
            <span>{text.until}</span>
            <input type="date" value={filter.to} onChange={(event) => change({ to: event.currentTarget.value })} />
          </label>
        </form>
      </details>
    </div>
  );
}
