/** The modules of a QR code for a text. */

import { encode } from "uqr";

/** Rows from the top; true is dark. */
export type Modules = readonly (readonly boolean[])[];

/** Modules of the light border that a reader needs. */
export const QUIET_ZONE = 4;
/** Larger codes are hard to read from a screen. */
const MAX_VERSION = 15;

/** Return the modules for a text, with the quiet zone; null if the text is too long. */
export function qrModules(text: string): Modules | null {
  try {
    return encode(text, { ecc: "M", boostEcc: false, maxVersion: MAX_VERSION, border: QUIET_ZONE }).data;
  } catch (error) {
    // Thrown for a text that does not fit into the largest version.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
