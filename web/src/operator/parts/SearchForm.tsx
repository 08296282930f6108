/** A form with one field, such as a name or a code. */

import { useId } from "preact/hooks";

interface SearchFormProps {
  label: string;
  hint: string;
  button: string;
  value: string;
  onSearch: (wanted: string) => void;
}

export function SearchForm({ label, hint, button, value, onSearch }: SearchFormProps) {
  const id = useId();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = String(new FormData(event.currentTarget as HTMLFormElement).get("q")).trim();
    if (wanted) onSearch(wanted);
  };
  return (
    <form class="operator-form" role="search" onSubmit={submit}>
      <label for={id}>{label}</label>
      <div class="joined operator-search">
        <input id={id} name="q" required maxLength={100} autocapitalize="none" spellcheck={false} defaultValue={value} aria-describedby={`${id}-hint`} />
        <button class="primary">{button}</button>
      </div>
      <p class="soft" id={`${id}-hint`}>
        {hint}
      </p>
    </form>
  );
}
