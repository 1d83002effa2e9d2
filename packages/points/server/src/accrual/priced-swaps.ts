import { type PackedTexts, unpacked } from "../bytes/packed-texts.ts";
import { type EventRange, type EventSource, eventPages } from "../ledger/event-source.ts";
import { giveWay } from "../scheduling/give-way.ts";
import { PriceTrack } from "./price-track.ts";

/** A batch of swaps that were sent as amounts of a token. */
export interface PricedSwaps {
  /** Unix seconds. */
  readonly times: readonly number[];
  readonly addresses: PackedTexts;
  /** In millionths of a dollar; null: there was no price. */
  readonly values: readonly (bigint | null)[];
}

export interface PricingOptions {
  readonly source: EventSource;
  readonly signal: AbortSignal;
  /** The stream of the token's prices; undefined: it never had one. */
  readonly priceStream: number | undefined;
  /** Seconds. */
  readonly priceMaxAge: number;
}

const eventsPerStep = 100;

/** The values of swaps by our own prices at their time. @param range amounts of one token */
export async function* pricedSwaps(
  range: EventRange,
  { source, signal, priceStream, priceMaxAge }: PricingOptions,
): AsyncGenerator<PricedSwaps> {
  let track: PriceTrack | null = null;
  for await (const page of eventPages(source, range, signal)) {
    const { times, addresses, positions, amounts } = page;
    const [first] = times;
    if (first === undefined) continue;
    if (track === null && priceStream !== undefined) {
      const after = first - priceMaxAge - 1;
      const prices: EventRange = { ...range, stream: priceStream, type: "price", after };
      track = new PriceTrack(eventPages(source, prices, signal));
    }
    await track?.readUntil(times.at(-1) ?? first);
    const decimals = unpacked(positions);
    const values: (bigint | null)[] = [];
    for (const amount of unpacked(amounts)) {
      if (values.length % eventsPerStep === 0) giveWay();
      const time = times[values.length] ?? first;
      const own = Number(decimals.next().value);
      values.push(track?.valueOf(BigInt(amount), own, time, priceMaxAge) ?? null);
    }
    yield { times, addresses, values };
  }
}
