import type { PriceConfig } from "@proj/gateway-protocol";
import { type EndpointName, endpointsByName, noTokens, readPlainAnswer } from "@proj/model-apis";
import { describe, expect, test } from "vitest";
import { gapSentence, priceGaps } from "../../src/prices/price-gaps.ts";
import { costNanoUsd } from "../../src/recording/step-cost.ts";

const now = Date.parse("2026-11-27");
const base = { input: 3, cached_input: 0.3, cache_write: 3.75, output: 15 };
const price = (more: Partial<PriceConfig> = {}): PriceConfig => ({ from: null, ...base, ...more });

/** What the reader of a plain answer finds in it. */
const read = (endpoint: EndpointName, answer: object) => {
  const bytes = Buffer.from(JSON.stringify(answer));
  return readPlainAnswer(bytes, endpointsByName[endpoint].readFacts, false);
};
const message = (usage: object) =>
  read("messages", { type: "message", content: [{}], stop_reason: "end_turn", usage });
const chat = (usage: object, more: object = {}) =>
  read("chat_completions", { choices: [{ finish_reason: "stop" }], usage, ...more });
const response = (output: readonly object[], more: object = {}) =>
  read("responses", {
    status: "completed",
    output,
    usage: { input_tokens: 1_000, output_tokens: 100 },
    ...more,
  });

const cost = (tokens: Parameters<typeof costNanoUsd>[2], more: Partial<PriceConfig> = {}) =>
  costNanoUsd([price(more)], now, tokens);
const gaps = (tokens: Parameters<typeof priceGaps>[2], more: Partial<PriceConfig> = {}) =>
  priceGaps([price(more)], now, tokens).map(({ usage, key }) => [usage, key]);

describe("Gemini's usage", () => {
  const usageMetadata = { promptTokenCount: 1_000, candidatesTokenCount: 100 };
  const content = (usage: object, more: object = {}) =>
    read("generate_content", {
      candidates: [{ content: { parts: [{ text: "x" }] }, finishReason: "STOP", ...more }],
      usageMetadata: { ...usageMetadata, ...usage },
    });

  test("text, pictures and thoughts need no price of their own", () => {
    const tokens = content({
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 900 },
        { modality: "IMAGE", tokenCount: 100 },
      ],
      candidatesTokensDetails: [{ modality: "TEXT", tokenCount: 100 }],
      ...{ thoughtsTokenCount: 50, totalTokenCount: 1_150, trafficType: "ON_DEMAND" },
    });
    expect(gaps(tokens)).toEqual([]);
    expect(cost(tokens)).toBe(1_000 * 3_000 + 150 * 15_000);
  });

  test("audio, drawn pictures and counts that nobody knows are named", () => {
    const tokens = content({
      promptTokensDetails: [{ modality: "AUDIO", tokenCount: 10 }],
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 90 }],
      novelTokenCount: 3,
    });
    expect(gaps(tokens).map(([usage]) => usage)).toEqual([
      "usage.promptTokensDetails.AUDIO",
      "usage.candidatesTokensDetails.IMAGE",
      "usage.novelTokenCount",
    ]);
  });

  test("tiers and searches have prices", () => {
    const groundingMetadata = { webSearchQueries: ["a", "b"] };
    const tokens = content({ serviceTier: "PRIORITY" }, { groundingMetadata });
    expect(gaps(tokens)).toEqual([
      ["tier priority", "service_tiers.priority"],
      ["calls of google_search", "server_tools.google_search"],
    ]);
    const service_tiers = { priority: { input: 6, output: 30 } };
    const more = { service_tiers, server_tools: { google_search: 14 } };
    expect(gaps(tokens, more)).toEqual([]);
    expect(cost(tokens, more)).toBe(1_000 * 6_000 + 100 * 30_000 + 2 * 14_000_000);
  });
});

describe("Anthropic's usage", () => {
  const top = { input_tokens: 23, output_tokens: 10, cache_read_input_tokens: 100 };
  const compaction = { type: "compaction", input_tokens: 160_000, output_tokens: 1_000 };

  test("a compaction is billed beside the answer", () => {
    const iterations = [compaction, { type: "message", ...top }];
    const tokens = message({ ...top, iterations });
    expect(tokens).toMatchObject({ prompt_tokens: 160_123, completion_tokens: 1_010 });
    // 23 x 3000 + 100 x 300 + 10 x 15000, and 160000 x 3000 + 1000 x 15000
    expect(cost(tokens)).toBe(249_000 + 495_000_000);
    expect(gaps(tokens)).toEqual([]);
  });

  test("a fallback that declined is not billed, and one that served is the answer itself", () => {
    const declined = { type: "message", model: "a", input_tokens: 9_000, output_tokens: 500 };
    const served = { type: "fallback_message", model: "b", ...top };
    const tokens = message({ ...top, iterations: [declined, served] });
    expect(cost(tokens)).toBe(249_000);
    expect(tokens.billed).toBeUndefined();
  });

  test("an advisor's model has prices of its own", () => {
    const iterations = [{ type: "advisor_message", input_tokens: 1_000, output_tokens: 100 }];
    const tokens = message({ ...top, iterations });
    expect(cost(tokens)).toBe(249_000 + 4_500_000);
    expect(gaps(tokens)).toEqual([["advisor_message iterations", "advisor"]]);
    const advisor = { input: 5, output: 25 };
    expect(cost(tokens, { advisor })).toBe(249_000 + 7_500_000);
    expect(gaps(tokens, { advisor })).toEqual([]);
  });

  test("writes to a cache cost by how long they are kept", () => {
    const usage = {
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 300,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
    };
    expect(cost(message(usage), { cache_write_1h: 6 })).toBe(100 * 3_750 + 200 * 6_000);
    expect(cost(message(usage))).toBe(300 * 3_750);
    expect(gaps(message(usage))).toEqual([["cache writes of 1h", "cache_write_1h"]]);
    expect(gaps(message(usage), { cache_write_1h: 6 })).toEqual([]);
    // More than were written at all are not paid for.
    const absurd = { ...usage, cache_creation: { ephemeral_1h_input_tokens: 9_000 } };
    expect(cost(message(absurd), { cache_write_1h: 6 })).toBe(300 * 6_000);
  });

  test("thinking has the price of reasoning", () => {
    const tokens = message({
      input_tokens: 0,
      output_tokens: 100,
      output_tokens_details: { thinking_tokens: 80 },
    });
    expect(tokens.reasoning_tokens).toBe(80);
    expect(cost(tokens, { reasoning: 20 })).toBe(20 * 15_000 + 80 * 20_000);
  });

  test("searches are paid by the call; fetches are free unless they have a price", () => {
    const tokens = message({
      ...top,
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 2 },
    });
    expect(cost(tokens, { server_tools: { web_search: 10 } })).toBe(249_000 + 30_000_000);
    expect(gaps(tokens, { server_tools: { web_search: 10 } })).toEqual([]);
    expect(gaps(tokens)).toEqual([["calls of web_search", "server_tools.web_search"]]);
    expect(cost(tokens, { server_tools: { web_search: 10, web_fetch: 1 } })).toBe(32_249_000);
  });

  test("a tier, a speed and a region have prices of their own", () => {
    const fast = message({ ...top, service_tier: "standard", speed: "fast", inference_geo: "us" });
    const service_tiers = { fast: { input: 30, output: 150 } };
    expect(cost(fast, { service_tiers })).toBe(123 * 30_000 + 10 * 150_000);
    expect(gaps(fast, { service_tiers })).toEqual([["tier us", "service_tiers.us"]]);
    expect(gaps(message({ ...top, service_tier: "standard", inference_geo: "global" }))).toEqual(
      [],
    );
  });

  test("a long prompt has other prices, each iteration's by its own length", () => {
    const long_context = [{ above: 200_000, input: 6, cached_input: 0.6, output: 22.5 }];
    const long = { input_tokens: 200_001, output_tokens: 1 };
    expect(cost(message(long), { long_context })).toBe(200_001 * 6_000 + 22_500);
    expect(cost(message({ ...long, input_tokens: 200_000 }), { long_context })).toBe(600_015_000);
    const both = message({ ...top, iterations: [{ ...long, type: "compaction" }] });
    expect(cost(both, { long_context })).toBe(249_000 + 200_001 * 6_000 + 22_500);
    const steeper = [...long_context, { above: 100_000, input: 4, output: 16 }];
    expect(cost(message(long), { long_context: steeper })).toBe(200_001 * 6_000 + 22_500);
  });
});

describe("OpenAI's usage", () => {
  test("writes to a cache cost by how long they are kept", () => {
    const details = {
      cache_write_tokens: 300,
      cache_write_tokens_details: { ttl_30m_tokens: 100, ttl_12h_tokens: 200 },
    };
    const tokens = chat({
      prompt_tokens: 300,
      completion_tokens: 0,
      prompt_tokens_details: details,
    });
    const more = { cache_write_30m: 4, cache_write_12h: 6 };
    expect(cost(tokens, more)).toBe(100 * 4_000 + 200 * 6_000);
    expect(gaps(tokens)).toEqual([["cache writes of 12h", "cache_write_12h"]]);
    expect(gaps(tokens, { ...more, cache_write: null })).toEqual([]);
    const ofResponse = response([], {
      usage: { input_tokens: 300, output_tokens: 0, input_tokens_details: details },
    });
    expect(cost(ofResponse, more)).toBe(100 * 4_000 + 200 * 6_000);
  });

  test("the service tier is the answer's, in both APIs", () => {
    const usage = { prompt_tokens: 1_000, completion_tokens: 100 };
    const service_tiers = { flex: { input: 1, output: 5 } };
    for (const tokens of [
      chat(usage, { service_tier: "flex" }),
      response([{ type: "message" }], { service_tier: "flex" }),
    ]) {
      expect(cost(tokens, { service_tiers })).toBe(1_500_000);
      expect(gaps(tokens)).toEqual([["tier flex", "service_tiers.flex"]]);
    }
    expect(cost(chat(usage, { service_tier: "default" }), { service_tiers })).toBe(4_500_000);
    // Whatever an upstream calls its tier.
    expect(cost(chat(usage, { service_tier: "constructor" }), { service_tiers })).toBe(4_500_000);
  });

  test("calls of its own tools are paid; the caller's own are not", () => {
    const run = { type: "code_interpreter_call", container_id: "c1" };
    const output = [
      { type: "web_search_call" },
      { type: "file_search_call" },
      { type: "file_search_call" },
      run,
      run,
      { ...run, container_id: "c2" },
      { type: "function_call" },
      { type: "mcp_call" },
      { type: "message" },
    ];
    const server_tools = { web_search: 10, file_search: 2.5, code_interpreter: 30 };
    const tokens = response(output);
    expect(tokens.billed?.server_tools).toEqual({
      web_search: 1,
      file_search: 2,
      code_interpreter: 2,
    });
    expect(cost(tokens, { server_tools })).toBe(4_500_000 + 10_000_000 + 5_000_000 + 60_000_000);
    expect(gaps(tokens, { server_tools })).toEqual([]);
    // Its own count of billed searches wins.
    const reported = response(output, { tool_usage: { web_search: { num_requests: 3 } } });
    expect(reported.billed?.server_tools.web_search).toBe(3);
  });

  test("what has a price that nobody here knows is named", () => {
    const tokens = chat({
      prompt_tokens: 10,
      completion_tokens: 10,
      total_tokens: 20,
      prompt_tokens_details: { audio_tokens: 5, cached_tokens: 0, text_tokens: 5 },
      completion_tokens_details: { audio_tokens: 0 },
      num_search_queries: 2,
      total_time: 0.2,
      queue_time_ms: 3,
    });
    expect(gaps(tokens)).toEqual([
      ["usage.prompt_tokens_details.audio_tokens", null],
      ["usage.num_search_queries", null],
    ]);
    expect(gapSentence("r", { usage: "usage.num_search_queries", key: null })).toBe(
      "answers of route 'r' report usage.num_search_queries, which no key of prices covers: recorded costs leave it out",
    );
    expect(priceGaps([], now, { ...noTokens, ...tokens })).toEqual([]);
  });
});
