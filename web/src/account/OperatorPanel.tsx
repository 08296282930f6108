/** For accounts with a role, the way to the page of operators; on a new server, the field for the code of its start. */

import { href } from "../app/route";
import type { AccountTexts } from "../i18n/types/account";
import { AccountForm, TextField } from "./AccountForm";
import { postAccount, type Account } from "./accountApi";

interface PanelProps {
  text: AccountTexts;
  account: Account;
  reload: () => Promise<void>;
}

export function OperatorPanel({ text, account, reload }: PanelProps) {
  const { operator } = text;
  if (!account.role && !account.operator_code) return null;
  return (
    <section class="account-panel" aria-labelledby="operator-panel-title">
      <h2 id="operator-panel-title">{operator.title}</h2>
      {account.role ? (
        <>
          <p>{operator.roles[account.role]}</p>
          <a class="button" href={href({ at: "operator", view: "reports", id: "" })}>
            {operator.open}
          </a>
        </>
      ) : (
        <>
          <p class="soft">{operator.codeNote}</p>
          <AccountForm text={text} button={operator.become} send={({ code }) => postAccount("operator", { code })} onDone={() => void reload()} second>
            <TextField label={operator.code} name="code" autocomplete="one-time-code" maxLength={60} />
          </AccountForm>
        </>
      )}
    </section>
  );
}
