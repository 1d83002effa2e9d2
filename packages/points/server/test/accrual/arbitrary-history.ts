import type { PointsEvent, Program } from "@proj/points-server";
import fc from "fast-check";

/** Every time in a history is in the past: a few windows of 24 hours. */
export const end = 400_000;

const few = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);
/** Small ones, which make ties, and large ones up to the limit. */
const amount: fc.Arbitrary<string> = fc
  .oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, 10n ** 9n), fc.bigInt(2n ** 53n, 2n ** 128n - 1n))
  .map(String);
const decimals = fc.oneof(fc.nat(3), fc.nat(38));
const address = few("alice", "bob", "carol", "Dave", "0x12", "e.e");
const pool = few("pool-a", "pool-b", "pool-c");
const token = few("X", "Y", "Z");
// Few, so that several events have the same time.
const time = fc.oneof(
  fc.integer({ min: 0, max: end }),
  fc.integer({ min: 0, max: 8 }).map((n) => n * 43_200),
);

const content: fc.Arbitrary<object> = fc.oneof(
  fc.record({ type: few("swap"), address, tokenX: token, tokenY: token, usdValue: amount }),
  fc
    .record({
      ...{ type: few("swap"), address, tokenX: token, tokenY: token, amount },
      ...{ isOfX: fc.boolean(), amountDecimals: decimals },
    })
    .map(({ isOfX, ...swap }) => ({ ...swap, amountToken: isOfX ? swap.tokenX : swap.tokenY })),
  fc.record({ type: few("price"), token, price: amount, priceDecimals: decimals }),
  fc.record({
    ...{ type: few("position_opened", "position_changed"), address, pool },
    ...{ position: few("1", "2", "3"), liquidity: amount },
  }),
  fc.record({ type: few("position_closed"), address, pool, position: few("1", "2", "3") }),
  fc.record({
    type: few("domain"),
    address,
    domain: few("", "a.example", "A.Example", "ü b\u2028.example"),
  }),
);

const sequence: fc.Arbitrary<object> = fc.oneof(
  fc.constant({}),
  fc.nat(2).map((sequence) => ({ sequence })),
);

const timed = fc.tuple(time, content, fc.integer({ min: 0, max: 999 }), sequence);

/** Events with unique ids, some of which are retracted. */
function withIds(
  all: readonly (readonly [time: number, about: object, salt: number, place: object])[],
  taken: readonly number[],
): PointsEvent[] {
  const events = all.map(
    ([at, about, salt, place], index) =>
      ({ ...about, ...place, time: at, id: `${salt}-${index}` }) as PointsEvent,
  );
  const retractions = [...new Set(taken)].map((index): PointsEvent => {
    const target = events[index]?.id ?? `never-${index}`;
    return { type: "retract", id: `retract-${index}`, time: 0, target };
  });
  return [...events, ...retractions];
}

export const arbitraryEvents: fc.Arbitrary<PointsEvent[]> = fc
  .tuple(fc.array(timed, { minLength: 6, maxLength: 40 }), fc.array(fc.nat(60), { maxLength: 5 }))
  .map(([all, taken]) => withIds(all, taken));

/** Many events of many addresses and positions, the same for a seed; one in thirty is retracted. */
export function manyEvents(count: number, seed: number): PointsEvent[] {
  const all = fc.sample(timed, { numRuns: count, seed }).map(([at, about, salt, place]) => {
    const { address, position }: { address?: string; position?: string } = about;
    const wider = {
      ...(address === undefined ? {} : { address: `${address}-${salt % 25}` }),
      ...(position === undefined ? {} : { position: `${position}-${salt % 17}` }),
    };
    return [at, { ...about, ...wider }, salt, place] as const;
  });
  const index = fc.nat(count - 1);
  return withIds(all, fc.sample(index, { numRuns: Math.ceil(count / 30), seed }));
}

const promotedPool = fc
  .record({
    address: few("pool-a", "pool-b"),
    pointsPerSecond: fc.oneof(few("0", "1", "7"), amount),
    startCountTimestamp: time.map(String),
    lasts: fc.option(fc.integer({ min: 0, max: end }), { nil: undefined }),
  })
  .map(({ lasts, ...promoted }) =>
    lasts === undefined
      ? promoted
      : { ...promoted, endCountTimestamp: String(Number(promoted.startCountTimestamp) + lasts) },
  );

const swapPairs = fc.array(fc.record({ tokenX: token, tokenY: token }), { maxLength: 3 });

const rateChange = fc.record(
  {
    ...{ startTimestamp: time.map(String), pointsPerUsd: amount },
    ...{ swapMultiplier: amount, swapPairs },
  },
  { requiredKeys: ["startTimestamp"] },
);

export const arbitraryProgram: fc.Arbitrary<Program> = fc.record({
  network: few("main"),
  refreshTime: few(60),
  pointsDecimal: fc.integer({ min: 0, max: 38 }),
  pointsPerUsd: amount,
  swapMultiplier: amount,
  swapPairs,
  rateChanges: fc.uniqueArray(rateChange, {
    selector: ({ startTimestamp }) => startTimestamp,
    maxLength: 2,
  }),
  // Long ages too, because times are days apart.
  swapPriceMaxAge: fc.oneof(fc.integer({ min: 1, max: 7_200 }), fc.integer({ min: 1, max: end })),
  ranking: few({}, { ties: "order" as const }, { ties: "shared" as const }),
  promotedPools: fc.array(promotedPool, { minLength: 1, maxLength: 4 }),
  quest: few({ threshold: "1", questProvider: "", questProviderUrl: "https://example.com/" }),
});

/** When snapshots are built: mostly late enough for a base to hold much. */
export const arbitrarySnapshotTime: fc.Arbitrary<number> = fc.oneof(
  fc.constant(end),
  fc.integer({ min: end / 2, max: end }),
  fc.integer({ min: 0, max: end }),
);

/** The steps of a history: events arrive, some of them again, or a snapshot is built. */
export type Step =
  | { readonly kind: "arrive"; readonly picks: readonly number[]; readonly count: number }
  | { readonly kind: "snapshot"; readonly time: number; readonly eventsPerBase: number }
  /** Null: the final rules again. */
  | { readonly kind: "rules"; readonly program: Program | null };

const arrive: fc.Arbitrary<Step> = fc.record({
  kind: few("arrive" as const),
  picks: fc.array(fc.nat(1000), { maxLength: 6 }),
  count: fc.nat(15),
});
const snapshot: fc.Arbitrary<Step> = fc.record({
  kind: few("snapshot" as const),
  time: arbitrarySnapshotTime,
  eventsPerBase: fc.nat(20),
});
const rules: fc.Arbitrary<Step> = fc.record({
  kind: few("rules" as const),
  program: fc.option(arbitraryProgram, { nil: null }),
});

export const arbitrarySteps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: arrive },
    { weight: 4, arbitrary: snapshot },
    { weight: 1, arbitrary: rules },
  ),
  { minLength: 3, maxLength: 10 },
);
