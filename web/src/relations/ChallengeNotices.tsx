/** Open challenges, over whatever page is shown: those of others with an answer, the user's own with a way to withdraw. */

import { href, route } from "../app/route";
import { Avatar } from "../common/Avatar";
import { GameIcon } from "../common/GameIcon";
import { useInterval } from "../common/useInterval";
import type { RelationTexts } from "../i18n/types/relations";
import { acceptChallenge, declineChallenge, leave, stopWaiting } from "../net/commands";
import type { ChallengeMade } from "../net/protocol";
import { openChallenges } from "../net/relationState";
import { isConnected, time } from "../net/session";
import { challengeFacts } from "./challengeFacts";
import "./styles/challenges.css";

export function ChallengeNotices({ text }: { text: RelationTexts }) {
  useInterval(true, 1_000);
  const now = time.now();
  const open = openChallenges.value.filter(({ expires }) => expires > now);
  if (open.length === 0) return null;
  return (
    <section class="challenges" aria-label={text.notice.title} data-home="#main">
      {open.map((challenge) => (
        <ChallengeCard key={challenge.room} text={text} challenge={challenge} left={Math.floor((challenge.expires - now) / 1_000)} />
      ))}
    </section>
  );
}

function ChallengeCard({ text: { notice }, challenge, left }: { text: RelationTexts; challenge: ChallengeMade; left: number }) {
  const { room, name, game, outgoing } = challenge;
  const here = route.value;
  const isHere = here.at === "table" && here.room === room;
  return (
    <div class={outgoing && isHere ? "challenge challenge-short" : "challenge"}>
      {outgoing ? <GameIcon game={game} /> : <Avatar name={name} />}
      {/* Read out once: the seconds are outside. */}
      <p class="challenge-text" role={outgoing ? "status" : "alert"}>
        <strong>{outgoing ? notice.outgoing(name) : notice.incoming(name)}</strong>
        <span class="soft">{challengeFacts(challenge)}</span>
      </p>
      <span class="challenge-left soft" role="timer">
        {notice.left(left)}
      </span>
      <span class="challenge-answers">
        {outgoing ? (
          <>
            <button disabled={!isConnected.value} onClick={() => (isHere ? leave(room) : stopWaiting(room))}>
              {notice.withdraw}
            </button>
            {!isHere && (
              <a class="button" href={href({ at: "table", room })}>
                {notice.toTable}
              </a>
            )}
          </>
        ) : (
          <>
            <button disabled={!isConnected.value} onClick={() => declineChallenge(room)}>
              {notice.decline}
            </button>
            <button class="primary" disabled={!isConnected.value} onClick={() => acceptChallenge(room)}>
              {notice.accept}
            </button>
          </>
        )}
      </span>
    </div>
  );
}
