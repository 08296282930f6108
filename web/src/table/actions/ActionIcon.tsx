/** Icon of a button after a game; it is shown where there is room. */

export function ActionIcon({ path }: { path: string }) {
  return (
    <svg class="action-icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
