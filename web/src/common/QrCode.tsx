/** A QR code, loaded lazily. */

import { lazyComponents } from "./lazyComponent";
import "./qr-code.css";

const lazy = lazyComponents(() => import("./QrImage"));

/** A square as wide as its container; `label` describes the link. */
export const QrCode = lazy(({ QrImage }) => QrImage, <span class="qr" />);
