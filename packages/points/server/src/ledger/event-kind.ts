import type { PointsEvent } from "../events/event.ts";

/** As in the table `events`. In this order, events of one position with the same time and sequence apply. */
export const eventKinds: Readonly<Record<PointsEvent["type"], number>> = {
  swap: 0,
  position_opened: 1,
  position_changed: 2,
  position_closed: 3,
  price: 4,
  domain: 5,
  retract: 6,
};
