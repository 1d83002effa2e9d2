import type { Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** A step that stays in view while others load above and below it, until somebody scrolls. */
export type Pin = number | "latest";

export function usePinned(
  scroller: RefObject<HTMLElement | null>,
  list: Virtualizer<HTMLElement, HTMLElement>,
): (pin: Pin) => void {
  const pinned = useRef<Pin | null>(null);
  const scroll = (): void => {
    const last = list.options.count - 1;
    if (pinned.current === null || last < 0) return;
    const index = pinned.current === "latest" ? last : pinned.current;
    list.scrollToIndex(index, { align: index === last ? "end" : "start" });
  };
  const height = list.getTotalSize();
  useLayoutEffect(scroll, [height, list.options.count]);
  useEffect(() => {
    const element = scroller.current;
    const leave = (): void => {
      pinned.current = null;
    };
    const events = ["wheel", "touchmove", "pointerdown", "keydown"] as const;
    for (const event of events) element?.addEventListener(event, leave, { passive: true });
    return () => {
      for (const event of events) element?.removeEventListener(event, leave);
    };
  }, []);
  return (pin) => {
    pinned.current = pin;
    scroll();
  };
}
