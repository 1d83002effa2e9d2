import { Random } from "./random.ts";

/** Points. */
export interface BidAndAsk {
  readonly bid: number;
  readonly ask: number;
}

export interface CandlePrices {
  readonly open: BidAndAsk;
  readonly high: BidAndAsk;
  readonly low: BidAndAsk;
  readonly close: BidAndAsk;
}

/** Fewer would give the extremes away: a price that had to be one would soon be followed by a way back. */
const pricesPerCandle = 60;
/** The range of a random walk, in standard deviations of its end. */
const meanRange = 1.5;

/**
 * A walk through a candle: from its open to its close, touching its high and its low, in an order that nobody can
 * tell from the prices so far. A fixed order (open, low, high, close) gives away what comes next.
 * @param seed the same seed gives the same walk
 */
export function bridge(candle: CandlePrices, seed: number): readonly BidAndAsk[] {
  const random = Random.fromSeed(seed);
  const { open, high, low, close } = candle;
  const steps = pricesPerCandle - 1;
  const size = (high.bid - low.bid) / meanRange / Math.sqrt(steps);
  const targets = drawOrder(random, candle);
  const bids = [open.bid];
  let at = open.bid;
  for (let left = steps; left > 1; left -= 1) {
    // A random walk that must have gone the rest of its way, over the extremes to the close, when time is up.
    const route = [at, ...targets, close.bid];
    const way = route.slice(1).reduce((sum, to, leg) => sum + Math.abs(to - (route[leg] ?? to)), 0);
    const [next = close.bid, previous = at] = [targets[0], at];
    const noise = size * Math.sqrt((left - 1) / left) * random.normal();
    at += Math.sign(next - at || close.bid - at) * (way / left + noise);
    const hasReached = (next - at) * (next - previous) <= 0;
    if (targets.length > 0 && (hasReached || left - 1 <= targets.length)) {
      at = next;
      targets.shift();
    }
    at = within(at, low.bid, high.bid);
    bids.push(Math.round(at));
  }
  bids.push(close.bid);
  return bids.map((bid, index) => ({ bid, ask: askAt(candle, bids, index) }));
}

/** High or low first: the shorter the way, the likelier, as for a random walk with these extremes. */
function drawOrder(random: Random, { open, high, low, close }: CandlePrices): number[] {
  const range = high.bid - low.bid;
  if (range === 0) return [];
  const weight = (way: number): number => way * Math.exp(-(((way * meanRange) / range) ** 2) / 2);
  const byHigh = weight(high.bid - open.bid + range + close.bid - low.bid);
  const byLow = weight(open.bid - low.bid + range + high.bid - close.bid);
  const isHighFirst = random.integer() / 2 ** 32 < byHigh / (byHigh + byLow);
  const order = isHighFirst ? [high.bid, low.bid] : [low.bid, high.bid];
  if (order[0] === open.bid) order.shift();
  if (order.at(-1) === close.bid) order.pop();
  return order;
}

/** Reflects what is outside. */
function within(value: number, low: number, high: number): number {
  if (value > high) return Math.max(low, 2 * high - value);
  return value < low ? Math.min(high, 2 * low - value) : value;
}

/** The candle's asks are at its own four prices; in between, its spread changes evenly. */
function askAt(candle: CandlePrices, bids: readonly number[], index: number): number {
  const { open, high, low, close } = candle;
  const bid = bids[index] ?? open.bid;
  if (index === bids.indexOf(high.bid)) return high.ask;
  if (index === bids.indexOf(low.bid)) return low.ask;
  if (index === bids.length - 1) return close.ask;
  const share = index / (bids.length - 1);
  const spread = (open.ask - open.bid) * (1 - share) + (close.ask - close.bid) * share;
  return Math.max(bid, Math.min(high.ask, Math.max(low.ask, bid + Math.round(spread))));
}
