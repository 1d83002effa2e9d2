import { describe, expect, test } from "vitest";
import { googleVertexPartners } from "../../src/providers/google-vertex-partners.ts";
import { factsOf } from "./facts.ts";

const sentence =
  "Anthropic's Claude 3 Haiku is deprecated as of February 23, 2026 and will be shut down on August 23, 2026 .";

/** Layouts of the same section: only the text of the page is known, not its markup. */
const forms: readonly (readonly [name: string, properties: string])[] = [
  ["rows of a table", "<table><tr><td>Model ID</td><td>claude-3-haiku</td></tr></table>"],
  [
    "rows of a table with a head",
    "<table><thead><tr><th>Model ID</th><th><code>claude-3-haiku</code></th></tr></thead><tbody><tr><td>Launch stage</td><td>deprecated</td></tr></tbody></table>",
  ],
  ["a list of terms", "<dl><dt>Model ID</dt><dd><code>claude-3-haiku</code></dd></dl>"],
  [
    "a list",
    "<ul><li><b>Model ID:</b> <code>claude-3-haiku</code></li><li>Launch stage: deprecated</li></ul>",
  ],
  ["a paragraph", "<p>Model ID claude-3-haiku</p>"],
  ["boxes", "<div><div>Model ID</div><div>claude-3-haiku</div></div>"],
];

const page = (properties: string): string =>
  `<h1>Model deprecations (MaaS)</h1><h2 id="haiku-3">Anthropic's Claude 3 Haiku</h2><p>${sentence}</p><p><a href="#">View model card in Model Garden</a></p>${properties}<p>Knowledge cutoff date August 2023</p>`;

describe("the sections of Google's page of partners", () => {
  test.each(forms)("are read if the properties are %s", (_name, properties) => {
    expect(factsOf(googleVertexPartners.extract(page(properties)))).toEqual([
      {
        model_id: "claude-3-haiku",
        deprecation_date: "2026-02-23",
        shutdown_date: "2026-08-23",
      },
    ]);
  });

  test("give the model's name if there is no id, so that none is missed", () => {
    const [notice, ...others] = googleVertexPartners.extract(page(""));
    expect(notice).toMatchObject({ model_id: "Claude 3 Haiku", shutdown_date: "2026-08-23" });
    expect(others).toEqual([]);
  });
});
