import type { PointsEvent } from "../events/event.ts";

/** As the table `events` has them. In this order they count where a position has several at one place of a second. */
export const eventKinds: Readonly<Record<PointsEvent["type"], number>> = {
  swap: 0,
  position_opened: 1,
  position_changed: 2,
  position_closed: 3,
  price: 4,
  domain: 5,
  retract: 6,
};
