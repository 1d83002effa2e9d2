import { type JsonObject, objectsOf, parsedObject } from "@proj/model-apis/json";
import type { Prompt, Turn } from "./prompt.ts";

/** The toy trader's next move: it calls a tool, and thinks why, or reports the result. */
export type TradingMove =
  | { readonly tool: string; readonly arguments: JsonObject; readonly why: string }
  | { readonly text: string };

/** A tool call with its result. */
interface Exchange {
  readonly tool: string;
  readonly result: JsonObject;
}

const candles = { period_id: "m15", num: 24 } as const;
const protection = { stop: 40, limit: 80 } as const;

/**
 * The moves of a simple trader in an arena that has the tools of a trading server and `next_round`. In each round it
 * looks at candles and positions, trades at most twice, and lets the market move. A word in the system message sets
 * its style (trend, reversion or breakout; otherwise it tosses coins); symbol, size and coins follow from the seed.
 * @returns null if there is no tool `next_round`
 */
export function tradingMove({ turns, tools }: Prompt, seed: number): TradingMove | null {
  if (!tools.some(({ name }) => name === "next_round")) return null;
  const exchanges = exchangesOf(turns);
  const last = exchanges.findLastIndex(({ tool }) => tool === "next_round");
  const round = exchanges[last]?.result;
  if (round === undefined) return { tool: "next_round", arguments: {}, why: "" };
  if (round.is_over === true) return { text: `The arena is over after ${round.rounds} rounds.` };
  const system = turns.find(({ role }) => role === "system")?.text ?? "";
  const choose = (what: string): number => hashOf(`${seed}|${system}|${what}`);
  return moveInRound(round, exchanges.slice(last + 1), system, choose);
}

function moveInRound(
  round: JsonObject,
  done: readonly Exchange[],
  system: string,
  choose: (what: string) => number,
): TradingMove {
  const symbols = Array.isArray(round.symbols) ? round.symbols : [];
  const symbol: unknown = symbols[choose("symbol") % symbols.length];
  const [seen, held] = [resultOf(done, "get_candles"), resultOf(done, "list_positions")];
  if (seen === undefined)
    return { tool: "get_candles", arguments: { symbol, ...candles }, why: `How is ${symbol}?` };
  if (held === undefined)
    return { tool: "list_positions", arguments: {}, why: "What do I hold already?" };
  const closes = objectsOf(seen.candles).map(({ close }) => Number(close));
  const { wanted, because } = signalOf(system, closes, choose(`round ${round.round}`));
  const [position] = objectsOf(held.positions);
  const hasClosed = resultOf(done, "close_trade") !== undefined;
  const hasOpened = resultOf(done, "open_trade") !== undefined;
  const isHeld = position !== undefined && !hasClosed;
  if (wanted !== 0 && isHeld && (position.is_buy === true) !== wanted > 0)
    return {
      ...{ tool: "close_trade", arguments: { trade_id: position.trade_id } },
      why: `${because} I hold the opposite and close it.`,
    };
  if (wanted !== 0 && !isHeld && !hasOpened) {
    const is_buy = wanted > 0;
    const amount = 20 * (1 + (choose("amount") % 5));
    const [stop, limit] = [
      is_buy ? -protection.stop : protection.stop,
      is_buy ? protection.limit : -protection.limit,
    ];
    const order = { symbol, is_buy, amount, stop, limit, is_in_pips: true };
    const deed = is_buy ? "buy" : "sell";
    const why = `${because} I ${deed}, with a stop ${protection.stop} pips away and a limit at ${protection.limit}.`;
    return { tool: "open_trade", arguments: order, why };
  }
  const rest = isHeld || hasOpened ? "I keep what I hold." : "I wait.";
  return { tool: "next_round", arguments: {}, why: `${because} ${rest}` };
}

interface Signal {
  /** 1: buy, -1: sell, 0: leave everything unchanged. */
  readonly wanted: number;
  /** A sentence. */
  readonly because: string;
}

function signalOf(system: string, closes: readonly number[], coin: number): Signal {
  const now = closes.at(-1);
  if (now === undefined) return { wanted: 0, because: "There are no candles." };
  const before = closes.slice(0, -1);
  const mean = meanOf(closes);
  const deviation = Math.sqrt(meanOf(closes.map((close) => (close - mean) ** 2)));
  const round = (rate: number): number => Number(rate.toPrecision(6));
  if (/trend/i.test(system)) {
    const recent = meanOf(closes.slice(-6));
    const means = `the last 6 closes average ${round(recent)}, all ${closes.length} of them ${round(mean)}`;
    return { wanted: Math.sign(recent - mean), because: `By trend: ${means}.` };
  }
  if (/reversion/i.test(system)) {
    const isFar = Math.abs(now - mean) > deviation;
    const distance = `${round(now)} is ${isFar ? "more" : "less"} than a deviation from the mean, ${round(mean)}`;
    return { wanted: isFar ? Math.sign(mean - now) : 0, because: `By reversion: ${distance}.` };
  }
  if (/breakout/i.test(system)) {
    const [low, high] = [Math.min(...before), Math.max(...before)];
    const wanted = now > high ? 1 : now < low ? -1 : 0;
    const place = wanted > 0 ? "above" : wanted < 0 ? "below" : "within";
    const because = `By breakout: ${round(now)} is ${place} the range from ${round(low)} to ${round(high)}.`;
    return { wanted, because };
  }
  const wanted = (coin % 3) - 1;
  return { wanted, because: `The coin says ${["sell", "nothing", "buy"][wanted + 1]}.` };
}

/** Every answered call of the conversation. Results that are not JSON objects are empty. */
function exchangesOf(turns: readonly Turn[]): readonly Exchange[] {
  return turns.flatMap(({ calls }, index) =>
    calls.flatMap(({ name: tool }, call) => {
      const answer = turns[index + 1 + call];
      return answer?.role === "tool" ? [{ tool, result: parsedObject(answer.text) }] : [];
    }),
  );
}

const resultOf = (done: readonly Exchange[], name: string): JsonObject | undefined =>
  done.find(({ tool }) => tool === name)?.result;

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  // The low bits alone depend on too little of the text.
  return (hash ^ (hash >>> 15)) >>> 0;
}
