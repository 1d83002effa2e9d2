import type { PointsEvent } from "../events/event.ts";

const day = 86_400;
const addresses = 120;

/** A few days of swaps and positions of 120 addresses, the same every time. @param now Unix seconds */
export function demoEvents(now: number): PointsEvent[] {
  const events: PointsEvent[] = [];
  for (let index = 1; index <= addresses; index += 1) {
    const address = demoAddress(index);
    if (index % 8 === 0) {
      const domain = `trader-${index}.example`;
      events.push({ id: `domain-${index}`, type: "domain", time: now - 6 * day, address, domain });
    }
    events.push(...swapsOf(index, now), ...positionsOf(index, now));
  }
  return [...events, ...prices(now)];
}

/** The content program's file, as JSON Lines. @param now Unix seconds */
export function demoContent(now: number): string {
  const lines = [3, 8, 21].flatMap((index) =>
    [2, 1].map((week) =>
      JSON.stringify({
        address: demoAddress(index),
        startTimestamp: now - week * 7 * day,
        endTimestamp: now - (week - 1) * 7 * day,
        points: scatter(index * week, 400) + 100,
      }),
    ),
  );
  return `${lines.join("\n")}\n`;
}

const demoAddress = (index: number): string => `demo-${String(index).padStart(3, "0")}`;

function* swapsOf(index: number, now: number): Generator<PointsEvent> {
  for (let swap = 1; swap <= index % 7; swap += 1) {
    const seed = index * 31 + swap;
    yield {
      id: `swap-${index}-${swap}`,
      type: "swap",
      time: now - 60 - scatter(seed, 6 * day),
      address: demoAddress(index),
      tokenX: seed % 3 === 0 ? "LUNAR" : "SOLAR",
      tokenY: "USDX",
      usdValue: String(1_000_000 * (5 + scatter(seed + 1, 2_000))),
    };
  }
}

function* positionsOf(index: number, now: number): Generator<PointsEvent> {
  if (index % 3 !== 0) return;
  const about = {
    address: demoAddress(index),
    pool: index % 2 === 0 ? "lunar-usdx" : "solar-usdx",
    position: `position-${index}`,
  };
  const opened = now - day - scatter(index, 5 * day);
  const liquidity = String(1_000 * (1 + scatter(index + 7, 50_000)));
  yield { id: `open-${index}`, type: "position_opened", time: opened, ...about, liquidity };
  if (index % 4 === 0) {
    const time = opened + Math.floor(day / 2);
    yield { id: `close-${index}`, type: "position_closed", time, ...about };
  }
}

function* prices(now: number): Generator<PointsEvent> {
  const scaledPrices = { SOLAR: "15234000000", LUNAR: "87650000", USDX: "100000000" };
  for (const [token, price] of Object.entries(scaledPrices)) {
    yield { id: `price-${token}`, type: "price", time: now - 30, token, price, priceDecimals: 8 };
  }
}

/** A number from 0 to `below` that looks random but is fixed. */
const scatter = (seed: number, below: number): number =>
  (Math.imul(seed, 2_654_435_761) >>> 0) % below;
