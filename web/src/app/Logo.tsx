/** The logo. */

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 64 64" aria-hidden="true">
      <rect x="4" y="4" width="56" height="56" rx="13" class="logo-seal" />
      <path d="M22 15v34M42 15v34M15 22h34M15 42h34" class="logo-lines" />
      <circle cx="22" cy="42" r="9.5" class="logo-white" />
      <circle cx="42" cy="22" r="9.5" class="logo-black" />
    </svg>
  );
}
