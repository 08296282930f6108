/** A QR code, loaded lazily. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { lazyComponents } from "./lazyComponent";
import "./qr-code.css";

const lazy = lazyComponents(() => import("./QrImage"));
const LazyImage = lazy(({ QrImage }) => QrImage, <span class="qr" />);

/** Milliseconds: a table against bots waits for players for a moment, and needs no code. */
const DELAY = 300;

/** A square as wide as its container; `label` describes the link. */
export function QrCode(props: { text: string; label: string }) {
  const shown = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (shown.value = true), DELAY);
    return () => clearTimeout(timer);
  }, []);
  return shown.value ? <LazyImage {...props} /> : <span class="qr" />;
}
