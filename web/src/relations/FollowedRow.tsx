/** A player whom the user follows: portrait, name, where the player is, and what one can do. */

import { useSignal } from "@preact/signals";
import { href } from "../app/route";
import { texts } from "../i18n/language";
import type { RelationTexts } from "../i18n/types/relations";
import { ChallengeDialog } from "./ChallengeDialog";
import { OnlineAvatar, statusText } from "./OnlineBadge";
import type { Followed } from "./relationsApi";

interface FollowedRowProps {
  text: RelationTexts;
  player: Followed;
  /** With a button that ends it, in place of the others. */
  onUnfollow?: () => void;
}

export function FollowedRow({ text, player, onUnfollow }: FollowedRowProps) {
  const choosing = useSignal(false);
  const { name, online, table } = player;
  const look = table?.does === "waits" ? text.look : texts.value.lobby.watch;
  return (
    <li class="followed">
      <OnlineAvatar name={name} status={player} />
      <a class="followed-text" href={href({ at: "profile", name })}>
        <bdi>{name}</bdi>
        <span class="soft">{statusText(player, text)}</span>
      </a>
      {onUnfollow ? (
        <button class="small" aria-label={text.unfollowOf(name)} onClick={onUnfollow}>
          {text.unfollow}
        </button>
      ) : table ? (
        <a class="button small" href={href({ at: "table", room: table.room })} aria-label={texts.value.punctuation.labelled(look, text.watchOf(name))}>
          {look}
        </a>
      ) : (
        online && (
          <button class="small" aria-label={text.challengeOf(name)} aria-haspopup="dialog" onClick={() => (choosing.value = true)}>
            {text.challenge}
          </button>
        )
      )}
      {choosing.value && <ChallengeDialog text={text} name={name} onClose={() => (choosing.value = false)} />}
    </li>
  );
}
