/** Preact, its hooks and signals for games from outside: the same instances as those of the page. */

export { createElement, Fragment, h } from "preact";
export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { batch, computed, effect, signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
