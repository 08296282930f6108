/** Installs the service worker and reloads a page whose files are outdated. */

/** Install the service worker; browsers allow it with TLS or on localhost only. */
export function installServiceWorker(): void {
  if (!import.meta.env.PROD) return;
  // After everything else: it prefetches files that are not needed yet.
  if ("serviceWorker" in navigator) addEventListener("load", () => void navigator.serviceWorker.register("/worker.js").catch(() => undefined));
  addEventListener("vite:preloadError", () => void reloadIfOutdated());
}

/** A chunk could not be loaded: reload the page if a newer version is online. */
async function reloadIfOutdated(): Promise<void> {
  const shell = await fetch("/", { cache: "no-store" }).then((answer) => (answer.ok ? answer.text() : null), () => null);
  const script = document.querySelector<HTMLScriptElement>("script[type=module][src]")?.getAttribute("src");
  if (shell !== null && script && !shell.includes(script)) location.reload();
}
