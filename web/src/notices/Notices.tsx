/** What operators tell this person: the announcement, warnings, what is forbidden until when, and a ban. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent } from "preact";
import { useId } from "preact/hooks";
import { Logo } from "../app/Logo";
import { Dialog } from "../dialogs/Dialog";
import { language, texts } from "../i18n/language";
import { lazyTexts } from "../i18n/lazyTexts";
import type { NoticeTexts } from "../i18n/types/notices";
import type { Millis, SanctionView } from "../net/protocol";
import { connection } from "../net/session";
import { sendAppeal, type AppealError } from "./appealApi";
import { ban, dismissAnnouncement, dismissSanction, forgetNotices, shownAnnouncement, shownSanctions } from "./serverNotices";
import "./notices.css";

interface Parts {
  Notices: FunctionComponent;
  BanPage: FunctionComponent;
}

/** Load the texts, and return the parts. */
export async function loadNotices(): Promise<Parts> {
  const noticeTexts = await lazyTexts(import.meta.glob<NoticeTexts>("../i18n/*/notices.ts", { import: "notices" }));
  return { Notices: () => <Notices text={noticeTexts.value} />, BanPage: () => <BanShown text={noticeTexts.value} /> };
}

const timeText = (at: Millis): string => new Date(at).toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" });

function Notices({ text }: { text: NoticeTexts }) {
  const announced = shownAnnouncement.value;
  return (
    <aside class="server-notices" aria-label={text.title}>
      {announced && (
        <Notice text={text} title={text.announcement} words={announced.text} onClose={() => dismissAnnouncement(announced)} />
      )}
      {shownSanctions.value.map((sanction) => (
        <Notice key={sanction.id} text={text} title={sanctionTitle(text, sanction)} words={sanction.reason} isGrave onClose={() => dismissSanction(sanction)}>
          {sanction.kind !== "warning" && <AppealButton text={text} sanction={sanction} />}
        </Notice>
      ))}
    </aside>
  );
}

function sanctionTitle(text: NoticeTexts, { kind, ends }: SanctionView): string {
  const title = text.kinds[kind];
  return kind === "warning" ? title : ends === null ? text.forGood(title) : text.until(title, timeText(ends));
}

interface NoticeProps {
  text: NoticeTexts;
  title: string;
  words: string;
  isGrave?: boolean;
  onClose: () => void;
  children?: ComponentChildren;
}

function Notice({ title, words, isGrave, onClose, children }: NoticeProps) {
  return (
    <div class={isGrave ? "server-notice server-notice-grave" : "server-notice"} role={isGrave ? "alert" : "status"}>
      <p>
        <b>{title}</b>
        <bdi>{words}</bdi>
      </p>
      {children}
      <button class="quiet server-notice-close" aria-label={texts.value.punctuation.labelled(texts.value.close, title)} onClick={onClose}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M5 5l10 10M15 5L5 15" />
        </svg>
      </button>
    </div>
  );
}

function AppealButton({ text, sanction }: { text: NoticeTexts; sanction: SanctionView }) {
  const writing = useSignal(false);
  return (
    <>
      <button onClick={() => (writing.value = true)}>{text.appeal}</button>
      {writing.value && (
        <Dialog title={text.appealTitle} onClose={() => (writing.value = false)}>
          <h2>{text.appealTitle}</h2>
          <AppealForm text={text} sanction={sanction} />
        </Dialog>
      )}
    </>
  );
}

function AppealForm({ text, sanction }: { text: NoticeTexts; sanction: SanctionView }) {
  const state = useSignal<AppealError | "writing" | "sending" | "sent">("writing");
  const id = useId();
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (state.value === "sending") return;
    const words = String(new FormData(event.currentTarget as HTMLFormElement).get("text")).trim();
    state.value = "sending";
    state.value = (await sendAppeal(sanction.id, words)) ?? "sent";
  };
  if (state.value === "sent") return <p role="status">{text.sent}</p>;
  const error = state.value === "writing" || state.value === "sending" ? null : (text.errors[state.value] ?? text.errors.unavailable);
  return (
    <form class="appeal-form" onSubmit={send}>
      <label for={id}>{text.appealLabel}</label>
      <textarea id={id} name="text" rows={5} maxLength={2000} required />
      <p class="appeal-error" role="alert">
        {error}
      </p>
      <button class="primary" disabled={state.value === "sending"}>
        {text.send}
      </button>
    </form>
  );
}

/** All that somebody sees who is banned. */
function BanShown({ text }: { text: NoticeTexts }) {
  const found = ban.value;
  if (found === null) return null;
  const retry = () => {
    forgetNotices();
    connection.start();
  };
  return (
    <section class="message-page ban-page">
      <Logo />
      <h1>{sanctionTitle(text, found)}</h1>
      <p>
        {text.reason}
        <bdi>{found.reason}</bdi>
      </p>
      <p class="soft">{text.made(timeText(found.made))}</p>
      <button onClick={retry}>{text.retry}</button>
      <div class="ban-appeal">
        <h2>{text.appealTitle}</h2>
        <AppealForm text={text} sanction={found} />
      </div>
    </section>
  );
}
