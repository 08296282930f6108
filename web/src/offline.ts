/** Lets the page start without a network, and brings a page whose parts are gone up to date. */

/** Install the worker that keeps the page; browsers allow it on https and on this machine only. */
export function keepPage(): void {
  if (!import.meta.env.PROD) return;
  // After everything else: what it fetches is not needed now.
  if ("serviceWorker" in navigator) addEventListener("load", () => void navigator.serviceWorker.register("/worker.js").catch(() => undefined));
  addEventListener("vite:preloadError", () => void renew());
}

/** A part could not be fetched: if there is a newer page, that is why. */
async function renew(): Promise<void> {
  const shell = await fetch("/", { cache: "no-store" }).then((answer) => (answer.ok ? answer.text() : null), () => null);
  const own = document.querySelector<HTMLScriptElement>("script[type=module][src]")?.getAttribute("src");
  if (shell !== null && own && !shell.includes(own)) location.reload();
}
