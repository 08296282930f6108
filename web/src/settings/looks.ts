/** Styles of all looks that differ from the usual ones; loaded once a user has chosen something. */

import.meta.glob("../games/*/settings/looks.css", { eager: true });
