/** A switch with its name, and a note if one is needed. */

interface ToggleProps {
  label: string;
  note?: string | undefined;
  on: boolean;
  onChange: (on: boolean) => void;
  disabled?: boolean;
}

export function Toggle({ label, note, on, onChange, disabled = false }: ToggleProps) {
  return (
    <label class="toggle">
      <span class="toggle-text">
        {label}
        {note && <small>{note}</small>}
      </span>
      <input type="checkbox" role="switch" checked={on} disabled={disabled} onChange={(event) => onChange(event.currentTarget.checked)} />
    </label>
  );
}
