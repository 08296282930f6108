/** What a visitor without a seat sees instead of a table; loaded when it is needed. */

export { ClosedTable } from "./ClosedTable";
export { Invitation } from "./Invitation";
