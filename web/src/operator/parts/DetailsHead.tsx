/** The heading of what was chosen from a list; it receives the focus, and on phones it has the way back. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { href, type OperatorView } from "../../app/route";
import type { OperatorTexts } from "../../i18n/types/operator";

interface DetailsHeadProps {
  text: OperatorTexts;
  view: OperatorView;
  title: string;
  children?: ComponentChildren;
}

export function DetailsHead({ text, view, title, children }: DetailsHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <a class="button small operator-back" href={href({ at: "operator", view, id: "" })}>
        {text.back}
      </a>
      <header class="operator-details-head">
        <h2 tabIndex={-1} ref={heading}>
          <bdi>{title}</bdi>
        </h2>
        {children}
      </header>
    </>
  );
}
