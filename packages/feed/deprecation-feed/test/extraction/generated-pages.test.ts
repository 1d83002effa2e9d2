import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { providers } from "../../src/providers/providers.ts";
import { factsOf } from "../providers/facts.ts";

interface Model {
  readonly model_id: string;
  readonly shutdown_date: string;
  readonly replacement_models: readonly string[];
}

interface Layout {
  /** Headings of the three columns. */
  readonly order: readonly number[];
  readonly headings: readonly string[];
  readonly writeDay: (day: string) => string;
  readonly asHtml: boolean;
  readonly asCode: boolean;
}

const family = fc.constantFrom(
  "gpt",
  "claude",
  "gemini",
  "llama",
  "anthropic.claude",
  "openai/gpt",
);
const modelId = fc
  .tuple(
    family,
    fc.integer({ min: 1, max: 99 }),
    fc.constantFrom("", "-mini", "-preview-09-2025", "-v1:0"),
  )
  .map(([name, number, rest]) => `${name}-${number}${rest}`);
const day = fc
  .date({
    min: new Date("2024-01-01T00:00:00Z"),
    max: new Date("2029-12-31T00:00:00Z"),
    noInvalidDate: true,
  })
  .map((time) => time.toISOString().slice(0, 10));
const models: fc.Arbitrary<Model[]> = fc.uniqueArray(
  fc.record({
    model_id: modelId,
    shutdown_date: day,
    replacement_models: fc.uniqueArray(modelId, { maxLength: 2 }),
  }),
  { selector: ({ model_id }) => model_id, minLength: 1, maxLength: 12 },
);
const layout: fc.Arbitrary<Layout> = fc.record({
  order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
  headings: fc.tuple(
    fc.constantFrom("Model", "Model ID", "Deprecated model", "**Model**"),
    fc.constantFrom("Shutdown date", "Retirement date", "EOL", "Retires on", "End of life"),
    fc.constantFrom("Replacement", "Recommended replacement", "Suggested model", "Successor"),
  ),
  writeDay: fc.constantFrom<(day: string) => string>(
    (text) => text,
    (text) => text.replaceAll("-", "\u2011"),
    (text) => text.replaceAll("-", "."),
    (text) => new Date(text).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" }),
    (text) => new Date(text).toLocaleDateString("en-US", { dateStyle: "short", timeZone: "UTC" }),
  ),
  asHtml: fc.boolean(),
  asCode: fc.boolean(),
});

function write(
  listed: readonly Model[],
  { order, headings, writeDay, asHtml, asCode }: Layout,
): string {
  const code = (id: string): string =>
    asCode ? (asHtml ? `<code>${id}</code>` : `\`${id}\``) : id;
  const rows = listed.map(({ model_id, shutdown_date, replacement_models }) => [
    code(model_id),
    writeDay(shutdown_date),
    replacement_models.map(code).join(" or "),
  ]);
  const lines = [headings, ...rows].map((row) => order.map((column) => row[column] ?? ""));
  if (asHtml) {
    const cells = lines.map((line) => line.map((text) => `<td>${text}</td>`).join(""));
    return `<h2>Models</h2><table>${cells.map((row) => `<tr>${row}</tr>`).join("")}</table>`;
  }
  const [head = "", ...body] = lines.map((line) => `| ${line.join(" | ")} |`);
  return ["# Models", "", head, "|---|---|---|", ...body].join("\n");
}

describe.each(providers)("$label", ({ extract }) => {
  test("reads unseen tables, in any order, wording and format", () => {
    fc.assert(
      fc.property(models, layout, (listed, how) => {
        const facts = listed.map(({ replacement_models, ...model }) =>
          replacement_models.length > 0 ? { ...model, replacement_models } : model,
        );
        const byId = new Map(
          factsOf(extract(write(listed, how))).map((found) => [found.model_id, found]),
        );
        expect(byId).toEqual(new Map(facts.map((fact) => [fact.model_id, fact])));
      }),
      { numRuns: 30, seed: 1 },
    );
  });
});
