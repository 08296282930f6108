/** The modules that games from outside import by name; the import map of the page points to them. */

/** Load them with the game; otherwise the browser finds them one after the other. */
export function loadSharedModules(): Promise<readonly object[]> {
  return Promise.all([import("../boardKit/sharedLibraries"), import("../boardKit")]);
}
