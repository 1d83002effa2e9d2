import { isJsonObject, type JsonObject, objectsOf } from "@proj/model-apis/json";
import type { Prompt, Turn } from "./prompt.ts";

/** The toy trader's next move: it calls a tool, or reports the result. */
export type TradingMove =
  | { readonly tool: string; readonly arguments: JsonObject }
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
  if (round === undefined) return { tool: "next_round", arguments: {} };
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
  if (seen === undefined) return { tool: "get_candles", arguments: { symbol, ...candles } };
  if (held === undefined) return { tool: "list_positions", arguments: {} };
  const closes = objectsOf(seen.candles).map(({ close }) => Number(close));
  const wanted = signalOf(system, closes, choose(`round ${round.round}`));
  const [position] = objectsOf(held.positions);
  const hasClosed = resultOf(done, "close_trade") !== undefined;
  const hasOpened = resultOf(done, "open_trade") !== undefined;
  const isHeld = position !== undefined && !hasClosed;
  if (wanted !== 0 && isHeld && (position.is_buy === true) !== wanted > 0)
    return { tool: "close_trade", arguments: { trade_id: position.trade_id } };
  if (wanted !== 0 && !isHeld && !hasOpened) {
    const is_buy = wanted > 0;
    const amount = 20 * (1 + (choose("amount") % 5));
    const [stop, limit] = [
      is_buy ? -protection.stop : protection.stop,
      is_buy ? protection.limit : -protection.limit,
    ];
    const order = { symbol, is_buy, amount, stop, limit, is_in_pips: true };
    return { tool: "open_trade", arguments: order };
  }
  return { tool: "next_round", arguments: {} };
}

/** @returns 1: buy, -1: sell, 0: leave everything unchanged */
function signalOf(system: string, closes: readonly number[], coin: number): number {
  const now = closes.at(-1);
  if (now === undefined) return 0;
  const before = closes.slice(0, -1);
  const mean = meanOf(closes);
  const deviation = Math.sqrt(meanOf(closes.map((close) => (close - mean) ** 2)));
  if (/trend/i.test(system)) return Math.sign(meanOf(closes.slice(-6)) - mean);
  if (/reversion/i.test(system))
    return Math.abs(now - mean) > deviation ? Math.sign(mean - now) : 0;
  if (/breakout/i.test(system)) {
    if (now > Math.max(...before)) return 1;
    return now < Math.min(...before) ? -1 : 0;
  }
  return (coin % 3) - 1;
}

/** Every answered call of the conversation. Results that are not JSON objects are empty. */
function exchangesOf(turns: readonly Turn[]): readonly Exchange[] {
  return turns.flatMap(({ calls }, index) =>
    calls.flatMap(({ name: tool }, call) => {
      const answer = turns[index + 1 + call];
      return answer?.role === "tool" ? [{ tool, result: parse(answer.text) }] : [];
    }),
  );
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
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
