import { expect, test } from "vitest";
import { parseConfig } from "../../src/index.ts";
import { complaintsOf } from "./config-text.ts";

const file = (prices: unknown, top: object = {}): string =>
  JSON.stringify({ ...top, llm_routes: { policy: { base_url: "https://h/v1", prices } } });

test("missing parts of a price are null; a day needs no quotes", () => {
  const text = `
max_cost_usd: 2.5
llm_routes:
  policy:
    base_url: https://h/v1
    prices:
      - { input: 3, output: 15 }
      - { from: 2026-01-31, input: 2, cached_input: 0.2, cache_write: 2.5, output: 10, reasoning: 12 }
`;
  const { llm_routes, max_cost_usd, max_tokens } = parseConfig(text, "test.yaml", {});
  expect([max_cost_usd, max_tokens]).toEqual([2.5, -1]);
  const none = { from: null, cached_input: null, cache_write: null, reasoning: null };
  expect(llm_routes.policy?.prices).toEqual([
    { ...none, input: 3, output: 15 },
    {
      from: "2026-01-31",
      input: 2,
      cached_input: 0.2,
      cache_write: 2.5,
      output: 10,
      reasoning: 12,
    },
  ]);
});

test.each<[string, unknown, object, RegExp]>([
  ["a price without output", [{ input: 1 }], {}, /prices\[0\].*output/],
  ["a negative price", [{ input: -1, output: 1 }], {}, /prices\[0\]\.input/],
  ["no day", [{ input: 1, output: 1, from: "2026-02-30" }], {}, /a day such as 2026-01-31/],
  [
    "two prices from one day",
    [
      { input: 1, output: 1 },
      { input: 2, output: 1 },
    ],
    {},
    /prices\[1\]: is a second price from the beginning on/,
  ],
  ["a money budget without prices", [], { max_cost_usd: 1 }, /is needed where max_cost_usd is set/],
])("%s is refused", (_what, prices, top, complaint) => {
  expect(complaintsOf(() => parseConfig(file(prices, top), "test.yaml", {})).join("\n")).toMatch(
    complaint,
  );
});

test("every price that providers have is taken, in the form that the gateway works with", () => {
  const tier = {
    input: 1,
    output: 2,
    cache_write_1h: 3,
    long_context: [{ above: 9, input: 2, output: 4 }],
  };
  const price = {
    ...tier,
    ...{ cache_write_30m: 1, cache_write_12h: 2 },
    service_tiers: { priority: tier },
    advisor: tier,
    server_tools: { web_search: 10 },
  };
  const { llm_routes } = parseConfig(file([price]), "test.yaml", {});
  expect(llm_routes.policy?.prices[0]).toMatchObject(price);
});

test.each<[string, object, RegExp]>([
  ["a long context without a length", { long_context: [{ input: 1, output: 1 }] }, /above/],
  ["a tier without a price", { service_tiers: { flex: { input: 1 } } }, /flex.*output/],
  ["a tool's negative price", { server_tools: { web_search: -1 } }, /web_search/],
  ["a key nobody knows", { cache_write_2h: 1 }, /cache_write_2h/],
])("%s is refused", (_what, more, complaint) => {
  const text = file([{ input: 1, output: 1, ...more }]);
  expect(complaintsOf(() => parseConfig(text, "test.yaml", {})).join("\n")).toMatch(complaint);
});
