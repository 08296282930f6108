/** Icon for spectators. */

export function SpectatorIcon() {
  return (
    <svg class="spectator-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M1 8c2-3.3 4.3-5 7-5s5 1.7 7 5c-2 3.3-4.3 5-7 5S3 11.3 1 8z" />
      <circle cx="8" cy="8" r="2.2" />
    </svg>
  );
}
