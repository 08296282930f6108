/** In the lobby: who of those whom the user follows is online. */

import { href } from "../app/route";
import type { RelationTexts } from "../i18n/types/relations";
import { FollowedRow } from "./FollowedRow";
import { useFollowing } from "./following";
import "./styles/following.css";

/** Most rows in the lobby; the account page has all. */
const SHOWN = 8;

export function FollowingPanel({ text }: { text: RelationTexts }) {
  const followed = useFollowing();
  if (followed === null) return null;
  const online = followed.filter((player) => player.online);
  return (
    <section class="following" aria-labelledby="following-title">
      <div class="following-head">
        <h2 id="following-title">{text.following}</h2>
        {followed.length > 0 && <a href={href({ at: "account" })}>{text.all(followed.length)}</a>}
      </div>
      {online.length === 0 && <p class="soft">{followed.length > 0 ? text.nobodyOnline : text.followNobody}</p>}
      <ul>
        {online.slice(0, SHOWN).map((player) => (
          <FollowedRow key={player.name} text={text} player={player} />
        ))}
      </ul>
    </section>
  );
}
