/** What is needed at a table only, and fetched with the first of them. */

export { Board } from "./board";
export { Explain } from "./explain";
