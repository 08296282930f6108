/** Settings of notifications. */

export function NotificationSection() {
  return null;
}
