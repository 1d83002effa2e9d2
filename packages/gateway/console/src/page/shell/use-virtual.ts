import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

/** A list that keeps only its visible part in the document. */
export function useVirtual(
  scroller: RefObject<HTMLElement | null>,
  length: number,
  estimatedHeight: number,
): Virtualizer<HTMLElement, HTMLElement> {
  const [, redraw] = useState(0);
  const options = {
    count: length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedHeight,
    overscan: 3,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw((drawn) => drawn + 1),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
