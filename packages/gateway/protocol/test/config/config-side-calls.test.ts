import { expect, test } from "vitest";
import { parseConfig } from "../../src/index.ts";
import { complaintsOf } from "./config-text.ts";

const parse = (side_calls: unknown, aside: object = {}) =>
  parseConfig(
    JSON.stringify({
      llm_routes: {
        policy: { base_url: "https://h/v1", side_calls },
        aside: { base_url: "https://h/v1", ...aside },
      },
    }),
    "test.yaml",
    {},
  );
const when = [{ name: "title", system: "title generator" }];

test("side calls name a route and their rules; header names ignore case", () => {
  const rule = { name: "memory", header: { "X-Purpose": "Memory" }, tools: false };
  const { policy, aside } = parse({ route: "aside", when: [...when, rule] }).llm_routes;
  expect(policy?.side_calls).toEqual({
    route: "aside",
    when: [...when, { ...rule, header: { "x-purpose": "Memory" } }],
  });
  expect(aside?.side_calls).toBeNull();
});

test.each<[string, unknown, object, RegExp]>([
  ["an unknown route", { route: "beside", when }, {}, /'beside' is not a key of llm_routes/],
  ["the route itself", { route: "policy", when }, {}, /is this route itself/],
  [
    "a route that speaks less",
    { route: "aside", when },
    { endpoints: ["chat_completions"] },
    /route 'aside' lacks endpoints of 'policy': responses, completions, embeddings/,
  ],
  ["no rules", { route: "aside", when: [] }, {}, /side_calls\.when: must not be empty/],
  ["a rule without a condition", { route: "aside", when: [{ name: "all" }] }, {}, /when\[0\]/],
  ["a rule without a name", { route: "aside", when: [{ tools: false }] }, {}, /when\[0\]/],
])("%s is refused", (_what, side_calls, aside, complaint) => {
  const complaints = complaintsOf(() => parse(side_calls, aside));
  expect(complaints).toContainEqual(expect.stringMatching(complaint));
});
