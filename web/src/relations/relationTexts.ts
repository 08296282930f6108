/** Texts about relations, loaded with the first part that shows them. */

import type { ReadonlySignal } from "@preact/signals";
import { lazyTexts } from "../i18n/lazyTexts";
import type { RelationTexts } from "../i18n/types/relations";

let loading: Promise<ReadonlySignal<RelationTexts>> | undefined;

export const loadRelationTexts = (): Promise<ReadonlySignal<RelationTexts>> =>
  (loading ??= lazyTexts(import.meta.glob<RelationTexts>(["../i18n/*/relations.ts", "!../i18n/types/*"], { import: "relations" })));
