import { within } from "@proj/test-kit";
import type { TradingClient, TradingEvents } from "@proj/trading-client";

/** The next event of this name. */
export function nextEvent<Event extends keyof TradingEvents>(
  client: TradingClient,
  event: Event,
): Promise<TradingEvents[Event]> {
  const next = Promise.withResolvers<TradingEvents[Event]>();
  const stop = client.on(event, (value) => {
    stop();
    next.resolve(value);
  });
  return within(next.promise, `the event ${event}`);
}

/** All events of these names from now on, in order. */
export function collectEvents<Event extends keyof TradingEvents>(
  client: TradingClient,
  ...names: readonly Event[]
): TradingEvents[Event][] {
  const events: TradingEvents[Event][] = [];
  for (const name of names) client.on(name, (value) => void events.push(value));
  return events;
}
