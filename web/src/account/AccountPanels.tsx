/** What a signed-in person sees: other players, devices, name, password and recovery codes. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { href } from "../app/route";
import type { AccountTexts } from "../i18n/types/account";
import type { RelationTexts } from "../i18n/types/relations";
import { state } from "../net/session";
import { PeoplePanel } from "../relations/PeoplePanel";
import { AccountForm, dateText, PasswordField, ProofField, refusalText, TextField } from "./AccountForm";
import { fetchAccount, isRefusal, postAccount, type Account, type Device, type Refusal } from "./accountApi";
import { deviceName } from "./deviceName";
import { OpenIdPanel } from "./openid/OpenIdPanel";
import { OperatorPanel } from "./OperatorPanel";
import { PasskeyPanel } from "./PasskeyPanel";
import { proofOf } from "./passkeys";
import { deleteAccount, signOut } from "./signIn";
import { BotPanel } from "./tokens/BotPanel";
import { TokensPanel } from "./tokens/TokensPanel";

interface PanelsProps {
  text: AccountTexts;
  relationText: RelationTexts;
  /** Set when codes are to be shown. */
  newCodes: Signal<readonly string[]>;
}

export function AccountPanels({ text, relationText, newCodes }: PanelsProps) {
  const found = useSignal<Account | Refusal | null>(null);
  const load = async () => {
    found.value = await fetchAccount();
  };
  const { name } = state.value;
  useEffect(() => void load(), [name]);
  const account = found.value;
  if (account === null || isRefusal(account)) {
    return (
      <p class="soft" role="status">
        {account === null ? text.loading : refusalText(text, account)}
      </p>
    );
  }
  return (
    <>
      <p class="soft account-why">
        <strong>
          <a href={href({ at: "profile", name: account.name })}>
            <bdi>{account.name}</bdi>
          </a>
        </strong>{" "}
        · {text.since(dateText(account.created))}
      </p>
      <div class="account-panels">
        <OperatorPanel text={text} account={account} reload={load} />
        <PeoplePanel text={relationText} account={account} reload={load} />
        <Devices text={text} account={account} reload={load} />
        <ChangeName text={text} account={account} reload={load} />
        <PasskeyPanel text={text} account={account} reload={load} />
        <OpenIdPanel text={text} account={account} reload={load} />
        <ChangePassword text={text} account={account} reload={load} />
        <RenewCodes text={text} account={account} newCodes={newCodes} reload={load} />
        <TokensPanel text={text} account={account} reload={load} />
        <BotPanel text={text} account={account} reload={load} />
        <DeleteAccount text={text} account={account} />
      </div>
    </>
  );
}

interface PanelProps {
  text: AccountTexts;
  account: Account;
  reload: () => Promise<void>;
}

function Devices({ text, account, reload }: PanelProps) {
  const refusal = useSignal<Refusal | null>(null);
  const run = async (work: Promise<object | Refusal>, isLast = false) => {
    const answer = await work;
    refusal.value = isRefusal(answer) ? answer : null;
    // A device that is signed out has no account to read.
    if (!isLast || isRefusal(answer)) await reload();
  };
  const others = account.devices.filter((device) => !device.this);
  return (
    <section class="account-panel" aria-labelledby="devices-title">
      <h2 id="devices-title">{text.devices.title}</h2>
      <ul class="devices">
        {account.devices.map((device) => (
          <DeviceRow key={device.id} text={text} device={device} onSignOut={() => void (device.this ? run(signOut(), true) : run(postAccount("sign-out-device", { id: device.id })))} />
        ))}
      </ul>
      <p class="account-error" role="alert">
        {refusal.value && refusalText(text, refusal.value)}
      </p>
      {others.length > 0 && <button onClick={() => void run(postAccount("sign-out-others", {}))}>{text.devices.signOutOthers}</button>}
    </section>
  );
}

function DeviceRow({ text, device, onSignOut }: { text: AccountTexts; device: Device; onSignOut: () => void }) {
  const name = deviceName(device.device);
  return (
    <li>
      <span class="device">
        <strong>{name}</strong>
        <span class="soft">{device.this ? text.devices.here : text.devices.lastUsed(dateText(device.used))}</span>
      </span>
      <button class="small" aria-label={device.this ? text.signOut : text.devices.signOutOf(name)} onClick={onSignOut}>
        {text.devices.signOut}
      </button>
    </li>
  );
}

function ChangeName({ text, account, reload }: PanelProps) {
  return (
    <section class="account-panel" aria-labelledby="name-title">
      <h2 id="name-title">{text.changeName.title}</h2>
      <AccountForm text={text} button={text.changeName.button} send={({ name }) => postAccount("name", { name })} onDone={() => void reload()}>
        <TextField key={account.name} label={text.name} name="name" autocomplete="username" note={text.changeName.note} value={account.name} maxLength={40} />
      </AccountForm>
    </section>
  );
}

function ChangePassword({ text, account, reload }: PanelProps) {
  const done = useSignal(false);
  const send = async ({ old, password }: Record<string, string>) => {
    done.value = false;
    const proof = await proofOf(account, old);
    if (isRefusal(proof)) return proof;
    return postAccount("password", "passkey" in proof ? { ...proof, new: password } : { old: proof.password, new: password });
  };
  const onDone = () => {
    done.value = true;
    void reload();
  };
  return (
    <section class="account-panel" aria-labelledby="password-title">
      <h2 id="password-title">{text.changePassword.title}</h2>
      <AccountForm text={text} button={account.has_password ? text.changePassword.button : text.changePassword.set} send={send} onDone={onDone}>
        {/* Password managers save the new password under this name. */}
        <input type="text" name="username" autocomplete="username" value={account.name} readOnly hidden />
        <ProofField text={text} account={account} label={text.changePassword.old} name="old" />
        <PasswordField text={text} label={text.newPassword} name="password" autocomplete="new-password" note={`${text.passwordNote} ${text.changePassword.note}`} />
      </AccountForm>
      <p role="status">{done.value && text.changePassword.done}</p>
    </section>
  );
}

function RenewCodes({ text, account, newCodes }: PanelProps & { newCodes: Signal<readonly string[]> }) {
  const send = async ({ password }: Record<string, string>) => {
    const proof = await proofOf(account, password);
    if (isRefusal(proof)) return proof;
    const answer = await postAccount<{ recovery_codes: readonly string[] }>("recovery-codes", proof);
    if (!isRefusal(answer)) newCodes.value = answer.recovery_codes;
    return answer;
  };
  return (
    <section class="account-panel" aria-labelledby="renew-title">
      <h2 id="renew-title">{text.codes.title}</h2>
      <p>{text.codes.left(account.recovery_codes_left)}</p>
      <AccountForm text={text} button={text.codes.renew} send={send}>
        <ProofField text={text} account={account} label={text.password} name="password" note={text.codes.renewNote} />
      </AccountForm>
    </section>
  );
}

function DeleteAccount({ text, account }: { text: AccountTexts; account: Account }) {
  const asked = useSignal(false);
  const send = async ({ password }: Record<string, string>) => {
    const proof = await proofOf(account, password);
    return isRefusal(proof) ? proof : deleteAccount(proof);
  };
  return (
    <section class="account-panel" aria-labelledby="delete-title">
      <h2 id="delete-title">{text.deleteAccount.title}</h2>
      <a class="button" download="qipai-account.json" href="/api/account/data">
        {text.deleteAccount.download}
      </a>
      <p class="soft">{text.deleteAccount.note}</p>
      {asked.value ? (
        <AccountForm text={text} button={text.deleteAccount.confirm} send={send} second>
          <ProofField text={text} account={account} label={text.password} name="password" />
        </AccountForm>
      ) : (
        <button onClick={() => (asked.value = true)}>{text.deleteAccount.button}</button>
      )}
    </section>
  );
}
