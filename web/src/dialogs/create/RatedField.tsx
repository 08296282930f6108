/** Whether the result of a new table counts for ratings: a switch for accounts, a way to sign in for guests. */

import { useId } from "preact/hooks";
import { href } from "../../app/route";
import type { GameParts } from "../../games/gameInterface";
import { texts } from "../../i18n/language";
import type { GameName } from "../../net/protocol";
import { state } from "../../net/session";
import { OwnRating } from "../../ratings/lazyRatings";
import type { NewTableOptions } from "../newTableOptions";
import { chosenCategory, ratedObstacle } from "../ratedChoice";

interface RatedFieldProps {
  parts: GameParts<GameName> | undefined;
  options: NewTableOptions;
  onChange: (some: Partial<NewTableOptions>) => void;
}

export function RatedField({ parts, options, onChange }: RatedFieldProps) {
  const { rated } = texts.value;
  const id = useId();
  if (!state.value.account) {
    return (
      <p class="create-rated soft">
        <a href={href({ at: "account" })}>{rated.signIn}</a>
      </p>
    );
  }
  const obstacle = ratedObstacle(parts, options);
  return (
    <div class="create-rated">
      <label class="create-row">
        <span>{rated.name}</span>
        <input
          type="checkbox"
          class="create-switch"
          role="switch"
          aria-describedby={id}
          checked={options.rated && obstacle === null}
          disabled={obstacle !== null}
          onChange={(event) => onChange({ rated: event.currentTarget.checked })}
        />
      </label>
      <small class="soft" id={id}>
        {obstacle === null ? rated.hint : rated.obstacles[obstacle]} <OwnRating category={chosenCategory(parts, options)} />
      </small>
    </div>
  );
}
