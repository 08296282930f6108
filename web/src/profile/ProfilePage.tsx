/** The profile of an account: ratings, results, finished games, and your games against this person. */

import { useSignal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { MessagePage } from "../app/MessagePage";
import { go } from "../app/route";
import { texts } from "../i18n/language";
import { lazyTexts } from "../i18n/lazyTexts";
import type { ProfileTexts } from "../i18n/types/profile";
import type { RatingTexts } from "../i18n/types/ratings";
import type { RelationTexts } from "../i18n/types/relations";
import { retryingFetch } from "../net/retryingFetch";
import { loadRatingTexts } from "../ratings/ratingParts";
import { isConnected, state } from "../net/session";
import { loadRelationTexts } from "../relations/relationTexts";
import { fetchProfile, type Missing, type Profile } from "./profileApi";
import { HeadToHeadCard } from "./HeadToHeadCard";
import { ProfileHead } from "./ProfileHead";
import { PersonGames } from "./PersonGames";
import { Ratings } from "./Ratings";
import { ResultsCard, Streaks } from "./ResultsCard";
import "./styles/profile.css";
import "./styles/profile-cards.css";

/** Load the texts, and return the page. */
export async function loadPage(): Promise<FunctionComponent<{ name: string }>> {
  const profileTexts = await lazyTexts(import.meta.glob<ProfileTexts>("../i18n/*/profile.ts", { import: "profile" }));
  const [ratingTexts, relationTexts] = await Promise.all([loadRatingTexts(), loadRelationTexts()]);
  return ({ name }) => <ProfilePage text={profileTexts.value} ratingText={ratingTexts.value} relationText={relationTexts.value} name={name} />;
}

interface ProfilePageProps {
  text: ProfileTexts;
  ratingText: RatingTexts;
  relationText: RelationTexts;
  name: string;
}

function ProfilePage({ text, ratingText, relationText, name }: ProfilePageProps) {
  const found = useSignal<Profile | Missing | null>(null);
  const compared = useSignal("");
  const wait = useSignal(0);
  const { account } = state.value;
  const connected = isConnected.value;
  const look = async (signal: AbortSignal) => {
    const profile = await fetchProfile(name, retryingFetch((seconds) => (wait.value = seconds), signal));
    if (signal.aborted) return;
    found.value = profile;
    // The name is written as its owner writes it.
    if (typeof profile !== "string" && profile.name !== name) go({ at: "profile", name: profile.name }, true);
  };
  useEffect(() => {
    // What a guest may see depends on the token, which comes with the connection.
    if (!connected) return;
    const leaving = new AbortController();
    void look(leaving.signal);
    return () => leaving.abort();
  }, [connected, account]);
  const profile = found.value;
  if (profile === null) {
    return (
      <p class="message-page soft message-loading" role="status">
        {wait.value > 0 ? texts.value.replay.busy(wait.value) : text.loading}
      </p>
    );
  }
  if (profile === "not found") return <MessagePage title={text.notFound(name)} text={text.notFoundNote} />;
  if (profile === "failed") {
    return (
      <MessagePage title={text.failed}>
        <button class="primary" onClick={() => void look(new AbortController().signal)}>
          {texts.value.replay.retry}
        </button>
      </MessagePage>
    );
  }
  return (
    <section class="profile" aria-labelledby="profile-title">
      <ProfileHead key={profile.relation ? "account" : "guest"} text={text} relationText={relationText} profile={profile} />
      <Ratings text={ratingText} name={profile.name} />
      <div class="profile-columns">
        <PersonGames text={text} name={profile.name} own={profile.you} results={profile.results} title={text.games} none={text.noGames} onOpponent={(opponent) => (compared.value = opponent)} />
        <aside class="profile-rail" aria-label={text.results}>
          {!profile.you && <HeadToHeadCard text={text} name={profile.name} other="" />}
          {compared.value && <HeadToHeadCard key={compared.value} text={text} name={profile.name} other={compared.value} />}
          <ResultsCard text={text} profile={profile} />
          <Streaks text={text} profile={profile} />
        </aside>
      </div>
    </section>
  );
}
