/** Parts of the lessons that are loaded together. */

export { LearnDialog } from "./LearnDialog";
export { LearnPage } from "./LearnPage";
