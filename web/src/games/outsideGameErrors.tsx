/** Keeps errors of a game from outside away from the rest of the page: its components and functions are wrapped. */

import { Component, type ComponentChildren, type FunctionComponent } from "preact";
import type { GameModule, GameParts } from "./gameInterface";
import type { GameName } from "../net/protocol";

type AnyFunction = (...values: never[]) => unknown;
type Parts = GameParts<GameName>;
/** Called when a game has thrown an error. */
export type OnError = (error: unknown) => void;

const COMPONENTS = ["Board", "Badge", "Score", "Icon", "LobbyPicture", "MoveList", "Panel", "OptionsForm", "MoreOptionsForm", "LobbyExtra"] as const satisfies readonly (keyof Parts)[];

const isText = (value: unknown) => typeof value === "string";
const isTextOrNull = (value: unknown) => (value ?? null) === null || isText(value);

/** The functions of a game: which results are right, and what the page shows instead of an error or another result. */
const FUNCTIONS = {
  usesRandomness: [(value) => typeof value === "boolean", true],
  hidesInformation: [(value) => typeof value === "boolean", true],
  possibleOffers: [Array.isArray, []],
  heading: [isText, ""],
  status: [(value) => (value ?? null) === null || isText((value as { text?: unknown }).text), null],
  announce: [isTextOrNull, null],
  tone: [isTextOrNull, null],
  tags: [Array.isArray, []],
  sides: [Array.isArray, ["", ""]],
  bottomSeat: [Number.isInteger, 0],
  visiblePart: [() => true, null],
} as const satisfies { [F in keyof Parts]?: readonly [isRight: (value: unknown) => boolean, otherwise: unknown] };

/** Return a module whose errors are reported instead of thrown. */
export function withoutErrors(module: GameModule, onError: OnError): GameModule {
  const parts: Record<string, unknown> = { ...module.game };
  for (const name of COMPONENTS) {
    const part = module.game[name];
    if (part) parts[name] = bounded(part as FunctionComponent<object>, onError);
  }
  for (const [name, [isRight, otherwise]] of Object.entries(FUNCTIONS)) {
    const part = parts[name];
    if (part) parts[name] = caught(name, part as AnyFunction, isRight, () => otherwise, onError);
  }
  const isPosition = (value: unknown) => typeof value === "object" && value !== null;
  return {
    ...module,
    game: parts as unknown as Parts,
    reduce: caught("reduce", module.reduce, isPosition, (position) => position, onError) as GameModule["reduce"],
  };
}

function caught(name: string, call: AnyFunction, isRight: (value: unknown) => boolean, otherwise: (first: unknown) => unknown, onError: OnError): unknown {
  return (...values: never[]) => {
    try {
      const result = call(...values);
      if (isRight(result)) return result;
      onError(new TypeError(`\`${name}\` returned ${JSON.stringify(result)}`));
    } catch (error) {
      onError(error);
    }
    return otherwise(values[0]);
  };
}

function bounded(Part: FunctionComponent<object>, onError: OnError): FunctionComponent<object> {
  return (props) => (
    <ErrorBoundary onError={onError}>
      <Part {...props} />
    </ErrorBoundary>
  );
}

interface BoundaryProps {
  onError: OnError;
  children: ComponentChildren;
}

/** Shows nothing once one of its children has thrown an error while rendering or in an effect. */
export class ErrorBoundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static override getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
