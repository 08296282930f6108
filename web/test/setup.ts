/** Loads the English texts before the tests of a file. */

import { setLanguage } from "../src/i18n/language";

await setLanguage("en");
