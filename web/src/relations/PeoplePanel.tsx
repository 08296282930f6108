/** On the account page: invisible, whose challenges are taken, whom the user follows and has blocked. */

import { useSignal } from "@preact/signals";
import { isRefusal, type Account, type Refusal } from "../account/accountApi";
import { href } from "../app/route";
import { Avatar } from "../common/Avatar";
import type { RelationTexts } from "../i18n/types/relations";
import { Toggle } from "../settings/controls/Toggle";
import { FollowedRow } from "./FollowedRow";
import { useFollowing, refreshFollowing } from "./following";
import { relationError } from "./RelationActions";
import { CHALLENGES_FROM, changeRelation, setPrivacy, type ChallengesFrom, type RelationChange } from "./relationsApi";
import "../settings/controls/controls.css";
import "./styles/following.css";
import "./styles/people.css";

interface PeoplePanelProps {
  text: RelationTexts;
  account: Account;
  reload: () => Promise<void>;
}

export function PeoplePanel({ text, account, reload }: PeoplePanelProps) {
  const refusal = useSignal<Refusal | null>(null);
  const saved = useSignal(false);
  const followed = useFollowing() ?? [];
  const { account: own } = text;
  const run = async (work: Promise<object | Refusal>) => {
    const answer = await work;
    refusal.value = isRefusal(answer) ? answer : null;
    await Promise.all([reload(), refreshFollowing()]);
    return !isRefusal(answer);
  };
  const choose = async (invisible: boolean, challengesFrom: ChallengesFrom) => {
    saved.value = false;
    saved.value = await run(setPrivacy(invisible, challengesFrom));
  };
  const change = (kind: RelationChange, name: string) => void run(changeRelation(kind, name));
  return (
    <section class="account-panel people-panel" aria-labelledby="people-title">
      <h2 id="people-title">{own.people}</h2>
      <div class="people-choices">
        <Toggle label={own.invisible} note={own.invisibleNote} on={account.invisible} onChange={(on) => void choose(on, account.challenges_from)} />
        <label class="field">
          <span>{own.challengesFrom}</span>
          <select value={account.challenges_from} onChange={(event) => void choose(account.invisible, event.currentTarget.value as ChallengesFrom)}>
            {CHALLENGES_FROM.map((from) => (
              <option key={from} value={from}>
                {own.options[from]}
              </option>
            ))}
          </select>
        </label>
        <p role="status">{saved.value && own.saved}</p>
        <p class="account-error" role="alert">
          {refusal.value && relationError(text, refusal.value)}
        </p>
      </div>
      <div class="following" role="group" aria-labelledby="followed-title">
        <h3 id="followed-title">{own.followed}</h3>
        {account.followed.length === 0 && <p class="soft">{text.followNobody}</p>}
        <ul class="people-list" tabIndex={followed.length > 5 ? 0 : undefined} aria-labelledby="followed-title">
          {followed.map((player) => (
            <FollowedRow key={player.name} text={text} player={player} onUnfollow={() => change("unfollow", player.name)} />
          ))}
        </ul>
      </div>
      <div class="following" role="group" aria-labelledby="blocked-title">
        <h3 id="blocked-title">{own.blocked}</h3>
        {account.blocked.length === 0 && <p class="soft">{own.blockedNobody}</p>}
        <ul class="people-list" tabIndex={account.blocked.length > 5 ? 0 : undefined} aria-labelledby="blocked-title">
          {account.blocked.map(({ name }) => (
            <li class="followed" key={name}>
              <Avatar name={name} />
              <a class="followed-text" href={href({ at: "profile", name })}>
                <bdi>{name}</bdi>
              </a>
              <button class="small" aria-label={text.unblock(name)} onClick={() => change("unblock", name)}>
                {text.unblockShort}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
