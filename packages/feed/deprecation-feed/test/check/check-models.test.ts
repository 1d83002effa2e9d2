import { checkModels, checkSentence, suggestModels } from "@proj/deprecation-feed";
import { expect, test } from "vitest";
import { parseFeed } from "../../src/consumer/parse-feed.ts";

const today = "2026-11-20";

const feed = parseFeed(
  JSON.stringify({
    items: [
      item("OpenAI", "gpt-old", { shutdown_date: "2026-10-01", replacement_models: ["gpt-new"] }),
      item("OpenAI", "gpt-soon", { shutdown_date: "2026-12-20", aliases: ["gpt-soon-2025-01-01"] }),
      item("Azure", "gpt-soon", { shutdown_date: "2026-12-01" }),
      item("OpenAI", "gpt-later", { shutdown_date: "2027-06-01" }),
      item("OpenAI", "gpt-undated", { shutdown_text: "not sooner than May 2027" }),
      item("OpenAI", "gpt-soon-2025-01-01", { shutdown_date: "2027-01-01", aliases: ["gpt-soon"] }),
      { title: "a date moved", _deprecation_change: { model_id: "gpt-later" } },
      { title: "an item of another kind" },
    ],
  }),
  "the feed",
  {},
);

function item(provider: string, model_id: string, facts: object) {
  const url = `https://docs.example/${provider}`;
  return { url, _deprecation: { provider, model_id, ...facts } };
}

const verdicts = (models: readonly string[], options = {}) =>
  checkModels(models, feed, { today, ...options }).map(({ verdict }) => verdict);

test("a model that has ended, or ends within the days, is distinguished from one that ends later", () => {
  const models = ["gpt-old", "gpt-soon", "gpt-later", "gpt-undated", "gpt-new"];
  const expected = ["ending", "ending", "deprecated", "deprecated", "unknown"];
  expect(verdicts(models)).toEqual(expected);
  expect(verdicts(models, { withinDays: 5 })[1]).toBe("deprecated");
  expect(verdicts(models, { withinDays: 365 })[2]).toBe("ending");
});

test.each([
  [11, "ending"],
  [10, "deprecated"],
])("a model that shuts down in 11 days is, with withinDays %i, %s", (withinDays, verdict) => {
  expect(verdicts(["gpt-soon"], { withinDays })).toEqual([verdict]);
});

test("notices are as in the feed, the earliest shutdown first", () => {
  expect(checkModels(["gpt-soon"], feed, { today })).toMatchObject([
    {
      model: "gpt-soon",
      notices: [
        { provider: "Azure", days_left: 11, url: "https://docs.example/Azure" },
        { provider: "OpenAI", days_left: 30 },
      ],
    },
  ]);
});

test("an alias that the provider gives matches too, after the model's own id", () => {
  const [dated] = checkModels(["gpt-soon-2025-01-01"], feed, { today });
  expect(dated?.notices).toMatchObject([{ model_id: "gpt-soon-2025-01-01", days_left: 42 }]);
  const [alias] = checkModels(
    ["m-latest"],
    parseFeed(JSON.stringify({ items: [item("Acme", "m-1", { aliases: ["m-latest"] })] }), "", {}),
  );
  expect(alias?.notices).toMatchObject([{ model_id: "m-1" }]);
});

test("similar names do not match", () => {
  const models = ["gpt-olds", "gpt", "gpt-old-turbo", "my-gpt-old", "old"];
  expect(new Set(verdicts(models))).toEqual(new Set(["unknown"]));
});

const named = parseFeed(
  JSON.stringify({
    items: [
      "OpenAI gpt-3.5-turbo-0613",
      "OpenAI gpt-4-0613",
      "Azure gpt-4-0613",
      "Anthropic claude-3-opus-20240229",
      "AWS-Bedrock anthropic.claude-3-haiku-20240307-v1:0",
      "Google-Gemini gemini-2.0-flash",
      "OpenAI gpt-4o-2024-05-13",
    ].map((pair) => {
      const [provider = "", id = ""] = pair.split(" ");
      return item(provider, id, { shutdown_date: "2026-12-01" });
    }),
  }),
  "",
  {},
);

test.each([
  ["openai/gpt-4-0613", "OpenAI gpt-4-0613"],
  ["azure/gpt-4-0613", "Azure gpt-4-0613"],
  ["GPT-4-0613", "OpenAI gpt-4-0613"],
  ["gpt-35-turbo-0613", "OpenAI gpt-3.5-turbo-0613"],
  ["ft:gpt-3.5-turbo-0613:acme::x", "OpenAI gpt-3.5-turbo-0613"],
  ["claude-3-opus", "Anthropic claude-3-opus-20240229"],
  ["anthropic/claude-3-opus@20240229", "Anthropic claude-3-opus-20240229"],
  ["gpt-4o", "OpenAI gpt-4o-2024-05-13"],
  ["openai/gpt-4o", "OpenAI gpt-4o-2024-05-13"],
  [
    "us.anthropic.claude-3-haiku-20240307-v1:0",
    "AWS-Bedrock anthropic.claude-3-haiku-20240307-v1:0",
  ],
  [
    "arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-3-haiku-20240307-v1:0",
    "AWS-Bedrock anthropic.claude-3-haiku-20240307-v1:0",
  ],
  ["anthropic.claude-3-haiku-20240307-v1", "AWS-Bedrock anthropic.claude-3-haiku-20240307-v1:0"],
  ["models/gemini-2.0-flash:generateContent", "Google-Gemini gemini-2.0-flash"],
  ["gemini-2.0-flash-2025-02-01", "Google-Gemini gemini-2.0-flash"],
])("%s matches the feed's %s", (model, expected) => {
  const [checked] = checkModels([model], named, { today });
  const [notice] = checked?.notices ?? [];
  expect(`${notice?.provider} ${notice?.model_id}`).toBe(expected);
});

test.each([
  "ollama/gpt-4-0613",
  "openrouter/openai/gpt-4-0613",
  "vertex_ai/claude-3-opus@20240229",
  "fireworks_ai/accounts/fireworks/models/gpt-4-0613",
  "azure/gpt-4o",
  "bedrock/gpt-4-0613",
])("%s is called on a platform whose dates the feed does not have", (model) => {
  expect(checkModels([model], named, { today })[0]?.verdict).toBe("unknown");
});

test("ids are suggested for typing errors", () => {
  expect(suggestModels("gpt4-0631", named)).toEqual(["gpt-4-0613"]);
  expect(suggestModels("claude-4-nothing", named)).toEqual([]);
});

test("a name without a date means the newest snapshot that ends", () => {
  const items = ["2025-08-07", "2025-11-01"].map((day) =>
    item("OpenAI", `gpt-9-${day}`, { shutdown_date: day.replace("2025", "2027") }),
  );
  const snapshots = parseFeed(JSON.stringify({ items }), "", {});
  const [checked, other] = checkModels(["gpt-9", "gpt-9-mini"], snapshots, { today });
  expect(checked?.notices).toMatchObject([{ model_id: "gpt-9-2025-11-01" }]);
  expect(other?.verdict).toBe("unknown");
});

test("an active model is never called deprecated, even if it may end soon", () => {
  const active = parseFeed(
    JSON.stringify({
      items: [
        item("Anthropic", "claude-a", { status: "active", earliest_shutdown_date: "2027-07-24" }),
        item("Azure", "claude-b", { status: "active", shutdown_date: "2026-12-01" }),
        item("Mistral", "claude-c", { status: "shutdown" }),
      ],
    }),
    "",
    {},
  );
  const checks = checkModels(["claude-a", "claude-b", "claude-c"], active, { today });
  expect(checks.map(({ verdict }) => verdict)).toEqual(["active", "ending", "ending"]);
  expect(checks.map(checkSentence)).toEqual([
    "claude-a is active, and does not shut down before 2027-07-24 (Anthropic)",
    "claude-b shuts down on 2026-12-01, in 11 days (Azure)",
    "claude-c was shut down on a day that its page does not give (Mistral)",
  ]);
});

test.each(["Azure", "azure"])("with providers: %s, only its notices count", (provider) => {
  const options = { today, providers: [provider] };
  const [soon, old] = checkModels(["gpt-soon", "gpt-old"], feed, options);
  expect(soon?.notices).toMatchObject([{ provider: "Azure" }]);
  expect(old?.verdict).toBe("unknown");
});

test("a provider that the feed does not have is an error, or a misspelling would pass", () => {
  const options = { today, providers: ["OpenAi", "Azuer"] };
  expect(() => checkModels(["gpt-old"], feed, options)).toThrow(
    /nothing about 'Azuer'; it has OpenAI, Azure/,
  );
});

test("each model is looked up once", () => {
  expect(verdicts(["gpt-old", "gpt-old"])).toEqual(["ending"]);
});
