/** The head of a profile: portrait, name, where the person is, and what the user can do. */

import { useSignal } from "@preact/signals";
import { href } from "../app/route";
import { Avatar } from "../common/Avatar";
import { language } from "../i18n/language";
import type { ProfileTexts } from "../i18n/types/profile";
import type { RelationTexts } from "../i18n/types/relations";
import { useFollowing } from "../relations/following";
import { OnlineAvatar, statusText } from "../relations/OnlineBadge";
import { RelationActions } from "../relations/RelationActions";
import { BotMark } from "./BotMark";
import type { Profile } from "./profileApi";

interface ProfileHeadProps {
  text: ProfileTexts;
  relationText: RelationTexts;
  profile: Profile;
}

export function ProfileHead({ text, relationText, profile }: ProfileHeadProps) {
  const { name } = profile;
  const relation = useSignal(profile.relation);
  const { value: known } = relation;
  const live = useFollowing(known?.followed === true)?.find((player) => player.name === name);
  const status = known?.followed ? (live ?? known) : null;
  const since = text.since(new Date(profile.created).toLocaleDateString(language.value, { year: "numeric", month: "long" }));
  return (
    <header class="profile-head">
      {status ? <OnlineAvatar name={name} status={status} /> : <Avatar name={name} />}
      <div>
        <h1 id="profile-title">
          <bdi>{name}</bdi> <BotMark shown={profile.bot} />
        </h1>
        <p class="soft">
          {status?.table ? <a href={href({ at: "table", room: status.table.room })}>{statusText(status, relationText)}</a> : status && statusText(status, relationText)}
          {status && " · "}
          {since}
        </p>
      </div>
      <div class="profile-actions">
        {profile.you && (
          <a class="button" href={href({ at: "account" })}>
            {text.yourAccount}
          </a>
        )}
        {known && <RelationActions text={relationText} name={name} relation={known} onChange={(now) => (relation.value = now)} />}
      </div>
    </header>
  );
}
