import { expect, test } from "vitest";
import { start } from "./start.ts";

interface Message {
  readonly role: string;
  readonly content?: string | null;
  readonly reasoning_content?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: Called }[];
}

interface Called {
  readonly name: string;
  readonly arguments: string;
}

const names = ["next_round", "get_candles", "list_positions", "open_trade", "close_trade"];
const tools = names.map((name) => ({
  type: "function",
  function: { name, parameters: { type: "object" } },
}));
const rising = Array.from({ length: 24 }, (_, index) => ({ close: 1.1 + index / 1000 }));
const symbols = ["EUR/USD", "USD/JPY", "GBP/USD"];

/** Plays one round against the given results, and returns the calls with their arguments. */
async function play(style: string, seed: number, given: Record<string, object> = {}) {
  const { url } = await start();
  const results: Record<string, object> = {
    get_candles: { candles: rising },
    list_positions: { positions: [] },
    open_trade: { status: "executed" },
    close_trade: { status: "executed" },
    ...given,
  };
  const calls: [string, Record<string, unknown>][] = [];
  const thoughts: string[] = [];
  const messages: Message[] = [
    { role: "system", content: `You trade by ${style}.` },
    { role: "user", content: "Begin." },
  ];
  for (;;) {
    const body = JSON.stringify({ model: "a", demo: { trading: { seed } }, messages, tools });
    const answer = await fetch(`${url}/chat/completions`, { method: "POST", body });
    expect(answer.status).toBe(200);
    const { choices } = (await answer.json()) as { choices: { message: Message }[] };
    const message = choices[0]?.message ?? { role: "assistant" };
    messages.push(message);
    thoughts.push(message.reasoning_content ?? "");
    const [call] = message.tool_calls ?? [];
    if (call === undefined) return { calls, text: message.content, thoughts };
    const { name, arguments: args } = call.function;
    const round = calls.filter(([called]) => called === "next_round").length + 1;
    const next_round = { round, rounds: 1, is_over: round > 1, symbols };
    calls.push([name, JSON.parse(args)]);
    const content = JSON.stringify({ next_round, ...results }[name]);
    messages.push({ role: "tool", tool_call_id: call.id, content });
  }
}

test("with a seed it trades by the candles, and stops with the arena", async () => {
  const { calls, text } = await play("trend", 7);
  expect(calls.map(([name]) => name)).toEqual([
    ...["next_round", "get_candles", "list_positions", "open_trade", "next_round"],
  ]);
  const [, looked] = calls[1] ?? [];
  expect(symbols).toContain(looked?.symbol);
  expect(calls[3]?.[1]).toMatchObject({ symbol: looked?.symbol, is_buy: true, is_in_pips: true });
  expect(text).toContain("over after 1 rounds");
  const reversion = await play("reversion", 7);
  expect(reversion.calls[3]).toMatchObject(["open_trade", { is_buy: false }]);
  const breakout = await play("breakout", 7);
  expect(breakout.calls[3]).toMatchObject(["open_trade", { is_buy: true }]);
});

test("a position on the wrong side is closed before a new one is opened", async () => {
  const list_positions = { positions: [{ trade_id: "5", is_buy: false }] };
  const { calls } = await play("trend", 7, { list_positions });
  expect(calls.slice(3, 5)).toMatchObject([
    ["close_trade", { trade_id: "5" }],
    ["open_trade", { is_buy: true }],
  ]);
  const same = { positions: [{ trade_id: "5", is_buy: true }] };
  const held = await play("trend", 7, { list_positions: same });
  expect(held.calls[3]?.[0]).toBe("next_round");
});

test("the same seed repeats its moves, and another one does not", async () => {
  expect(await play("coins", 1)).toEqual(await play("coins", 1));
  const seeds = Array.from({ length: 8 }, (_, seed) => play("coins", seed));
  const played = new Set((await Promise.all(seeds)).map((game) => JSON.stringify(game)));
  expect(played.size).toBeGreaterThan(1);
});

test("results that are not JSON, and a seed that is not a number, are harmless", async () => {
  const { calls } = await play("trend", 7, { get_candles: [] });
  expect(calls.at(-1)?.[0]).toBe("next_round");
  const { url } = await start();
  const messages = [{ role: "user", content: "Begin." }];
  const body = JSON.stringify({ model: "a", demo: { trading: { seed: "x" } }, messages, tools });
  const answer = await fetch(`${url}/chat/completions`, { method: "POST", body });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("demo.trading.seed");
});

test("it thinks before it acts: what it sees, and what follows", async () => {
  const { thoughts } = await play("trend", 7);
  expect(thoughts.slice(1, 3)).toEqual([
    expect.stringMatching(/^How is [A-Z]{3}\/[A-Z]{3}\?$/),
    "What do I hold already?",
  ]);
  expect(thoughts[3]).toBe(
    "By trend: the last 6 closes average 1.1205, all 24 of them 1.1115. I buy, with a stop 40 pips away and a limit at 80.",
  );
  const reversion = await play("reversion", 7);
  expect(reversion.thoughts[3]).toMatch(/^By reversion: 1\.123 is more than a deviation .* I sell/);
  const breakout = await play("breakout", 7);
  expect(breakout.thoughts[3]).toMatch(/^By breakout: 1\.123 is above the range .* I buy/);
});
