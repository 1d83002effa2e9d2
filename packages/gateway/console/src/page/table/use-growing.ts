import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { moveAmong } from "../shell/move-among.ts";

export interface Growing {
  /** How many of them to show. */
  readonly shown: number;
  /** For an element after the last one that is shown. */
  readonly end: RefObject<HTMLDivElement | null>;
  /** Moves the focus among links in an element, of which the next may not be in the document yet. */
  move(within: HTMLElement | null, selector: string, by: number): void;
}

/** Long lists are put into the document as far as somebody scrolls. @param step how many at once */
export function useGrowing(length: number, step: number): Growing {
  const [shown, setShown] = useState(step);
  const end = useRef<HTMLDivElement>(null);
  const later = useRef<(() => void) | null>(null);
  useEffect(() => {
    later.current?.();
    later.current = null;
  }, [shown]);
  useEffect(() => {
    const element = end.current;
    if (element === null || shown >= length) return;
    const seen = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setShown(shown + step);
      },
      { rootMargin: "600px" },
    );
    seen.observe(element);
    return () => seen.disconnect();
  }, [shown, length]);
  const move: Growing["move"] = (within, selector, by) => {
    if (moveAmong(within, selector, by) || shown >= length) return;
    later.current = () => moveAmong(within, selector, by);
    setShown(length);
  };
  return { shown, end, move };
}
