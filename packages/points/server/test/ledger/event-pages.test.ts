import type { PointsEvent } from "@proj/points-server";
import { describe, expect, test } from "vitest";
import { unpacked } from "../../src/bytes/packed-texts.ts";
import { type EventRange, eventPages } from "../../src/ledger/event-source.ts";
import { LedgerReader } from "../../src/ledger/ledger-reader.ts";
import { swap, swapsOf } from "../snapshots/swaps.ts";
import { openLedger } from "../storage/open-ledger.ts";
import { databases } from "../storage/temporary-storage.ts";

const kinds = ["position_opened", "position_changed", "position_closed"] as const;

/** One second has more events than a usual page, the others have a few each. */
const positionEvents = Array.from({ length: 4_000 }, (_, index): PointsEvent => {
  const time = index % 3 === 0 ? 1_500 : 1_000 + ((index * 7919) % 900);
  const type = kinds[index % 3] ?? "position_opened";
  const id = `id-${(index * 104_729) % 4_000}`;
  return { type, id, time, address: `a${index}`, pool: "pool", position: `Größe ${index}` };
});

const swaps = [
  ...swapsOf(2_500),
  ...[990, 1_000, 1_010, 1_020].map((time) => swap(`${time}`, "alice", 5, time)),
];

describe.each(databases)("on %s", (database) => {
  test("pages have all events of their seconds, each once and in the order that counts", async () => {
    await using ledger = await openLedger(database);
    await ledger.append(positionEvents);
    await ledger.append(swaps);
    const reader = new LedgerReader(ledger.database);
    const streams = await reader.streams();
    const stream = streams.get("pool/pool") ?? 0;
    const all: EventRange = { stream, type: "position", after: -1, until: 5_000, seq: 10_000 };
    const { signal } = new AbortController();
    const read = async (range: Partial<EventRange>) => {
      const events: unknown[] = [];
      for await (const page of eventPages(reader, { ...all, ...range }, signal)) {
        const [addresses, positions] = [
          [...unpacked(page.addresses)],
          [...unpacked(page.positions)],
        ];
        for (const [index, time] of page.times.entries()) {
          events.push([time, addresses[index], positions[index]]);
        }
      }
      return events;
    };
    const expected = (after: number, until: number) =>
      positionEvents
        .filter(({ time }) => time > after && time <= until)
        .toSorted((a, b) => a.time - b.time || kindOf(a) - kindOf(b) || (a.id < b.id ? -1 : 1))
        .map((event) => "position" in event && [event.time, event.address, event.position]);
    expect(await read({})).toEqual(expected(-1, 5_000));
    expect(await read({ after: 1_100, until: 1_499 })).toEqual(expected(1_100, 1_499));
    expect(await read({ after: 1_499, until: 1_500 })).toEqual(expected(1_499, 1_500));
    expect(await read({ after: 3_000 })).toEqual([]);
    expect(await read({ seq: 10 })).toHaveLength(10);

    const swapped: unknown[] = [];
    const ofPair: EventRange = { ...all, stream: streams.get("pair/X/Y") ?? 0, type: "swap" };
    for await (const { addresses, amounts } of eventPages(reader, ofPair, signal)) {
      const [texts, values] = [unpacked(addresses), unpacked(amounts)];
      for (const address of texts) swapped.push([address, values.next().value]);
    }
    expect(swapped.toSorted()).toEqual(
      swaps.map((event) => "usdValue" in event && [event.address, event.usdValue]).toSorted(),
    );

    const controller = new AbortController();
    const pages = eventPages(reader, all, controller.signal);
    await pages.next();
    controller.abort(new Error("given up"));
    await expect(pages.next()).rejects.toThrow("given up");
  });
});

const kindOf = ({ type }: PointsEvent): number => (kinds as readonly string[]).indexOf(type);
