/** A QR code; what draws it is fetched when the first one is shown. */

import { later } from "../games/later";
import "../style/qr.css";

const part = later(() => import("../qr/picture"));

/** A square of the width it is given; `label` says what it leads to. */
export const Qr = part(({ Picture }) => Picture, <span class="qr" />);
