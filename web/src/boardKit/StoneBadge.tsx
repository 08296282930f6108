/** Small round stone beside a player's name. */

import "./stone-badge.css";

export function StoneBadge({ colour, label }: { colour: "black" | "white"; label: string }) {
  return <span class={`badge-stone badge-${colour}`} role="img" aria-label={label} />;
}
