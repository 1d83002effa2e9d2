import type { PositionEvent, SwapEvent } from "../events/event.ts";

/** As the table `events` has them. In this order they count where a position has several in a second. */
export const eventKinds: Readonly<Record<(SwapEvent | PositionEvent)["type"], number>> = {
  swap: 0,
  position_opened: 1,
  position_changed: 2,
  position_closed: 3,
};
