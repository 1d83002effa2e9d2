import { describe, expect, test } from "vitest";
import { type Block, readPage, sentencesOf } from "../../src/extraction/page.ts";
import type { Grid } from "../../src/extraction/table.ts";

const blocksOf = (page: string): readonly Block[] =>
  readPage(page).sections.flatMap(({ blocks }) => blocks);
const gridOf = (page: string): Grid | undefined =>
  blocksOf(page).find((block) => block.kind === "table")?.grid;
const textsOf = (grid: Grid | undefined): readonly (readonly string[])[] =>
  grid?.rows.map((row) => row.map(({ text }) => text)) ?? [];

describe("a page", () => {
  test("has the same content in Markdown and in HTML", () => {
    const markdown =
      "# Top\n\nSome `code`.\n\n## Part\n\n| A | B |\n|---|---|\n| `x` \\| y | [z](/z) |\n\n* one\n  * two\n";
    const html =
      "<h1>Top</h1><p>Some <code>code</code>.</p><h2>Part</h2><table><tr><th>A</th><th>B</th></tr>" +
      '<tr><td><code>x</code> | y</td><td><a href="/z">z</a></td></tr></table><ul><li>one<ul><li>two</li></ul></li></ul>';
    expect(readPage(html)).toEqual(readPage(markdown));
  });

  test("has one section per heading, below its parent headings", () => {
    const { sections } = readPage("# A\n\n## B\n\ntext\n\n### C\n\n## D\n");
    const paths = sections.map(({ headings }) => headings.map(({ text }) => text).join("/"));
    expect(paths).toEqual(["", "A", "A/B", "A/B/C", "A/D"]);
  });

  test("is read without its front matter, scripts and styles", () => {
    expect(readPage("---\ntitle: A\n---\n\ntext\n").sections).toHaveLength(1);
    expect(
      blocksOf("<html><head><style>p {}</style></head><body><script>x</script><p>y</p>"),
    ).toEqual([{ kind: "paragraph", words: { text: "y", links: [] } }]);
  });

  test("is read through MDX components, however deeply they indent", () => {
    const page =
      '<Tabs>\n  <Tab title="A">\n    | Model | B |\n    |---|---|\n    | x | y |\n  </Tab>\n</Tabs>\n';
    expect(textsOf(gridOf(page))).toEqual([["x", "y"]]);
    expect(blocksOf("<Note>\n  It is `x`.\n</Note>\n")).toMatchObject([
      { words: { text: "It is `x`." } },
    ]);
  });

  test("has its own anchors, or those that sites make from headings", () => {
    const anchorOf = (page: string): unknown =>
      readPage(page).sections.at(-1)?.headings.at(-1)?.anchor;
    expect(anchorOf('<h2 id="own">Heading</h2>')).toBe("own");
    expect(anchorOf('<h2><a name="inner"></a>Heading</h2>')).toBe("inner");
    expect(anchorOf("## [May 4: x-1](#may-4-x1)")).toBe("may-4-x1");
    expect(anchorOf('## Heading\n<a name="after"></a>\n\ntext')).toBe("after");
    expect(anchorOf("### 2026-04-14: Claude 2.1, and more")).toBe("2026-04-14-claude-21-and-more");
  });

  test("has sentences that a number or an id does not end", () => {
    const page = "We end `x-1.5`. Use gpt-4.1 on June 1, 2026. See Fig. 3: It is so.";
    expect(sentencesOf(blocksOf(page))).toEqual([
      "We end `x-1.5`.",
      "Use gpt-4.1 on June 1, 2026.",
      "See Fig. 3:",
      "It is so.",
    ]);
  });
});

describe("a table", () => {
  const table = (rows: string): string =>
    `<table><thead><tr><th>A</th><th>B</th><th>C</th></tr></thead>${rows}</table>`;

  test("has every cell under its heading, with any spans", () => {
    const page = table(
      '<tr><td rowspan="2">1</td><td colspan="2">2</td></tr><tr><td>3</td><td rowspan="0">4</td></tr><tr><td>5</td><td>6</td></tr>',
    );
    expect(textsOf(gridOf(page))).toEqual([
      ["1", "2", "2"],
      ["1", "3", "4"],
      ["5", "6", "4"],
    ]);
  });

  test("joins headings of two rows, and ignores a caption across all columns", () => {
    const page =
      '<table><tr><th colspan="3">Legacy models</th></tr><tr><th rowspan="2">Model</th><th colspan="2">Dates</th></tr>' +
      "<tr><th>Legacy</th><th>EOL</th></tr><tr><td>x</td><td>1</td><td>2</td></tr></table>";
    expect(gridOf(page)?.headings).toEqual(["Model", "Dates Legacy", "Dates EOL"]);
  });

  test("leaves out rows that divide it or repeat the headings", () => {
    const page = table(
      '<tr><td colspan="3">Preview models</td></tr><tr><td>Stable</td><td></td><td></td></tr>' +
        "<tr><td>A</td><td>B</td><td>C</td></tr><tr><td>x-1</td><td></td><td></td></tr>",
    );
    expect(textsOf(gridOf(page))).toEqual([["x-1", "", ""]]);
  });

  test("uses its first row as headings if no cell is marked as one", () => {
    expect(gridOf("<table><tr><td>A</td></tr><tr><td>1</td></tr></table>")).toMatchObject({
      headings: ["A"],
    });
  });

  test("leaves out footnote marks and struck-out text, and keeps ordinals and line breaks", () => {
    const page = table(
      "<tr><td>4<sup>th</sup> May<sup>1</sup></td><td><del>May</del> June</td><td><p>a</p><p>b<br>c</p></td></tr>",
    );
    expect(textsOf(gridOf(page))).toEqual([["4th May", "June", "a\nb\nc"]]);
    expect(textsOf(gridOf(table("<tr><td><s>x-1</s></td><td>1</td><td>2</td></tr>")))).toEqual([
      ["x-1", "1", "2"],
    ]);
  });

  test("is found in a list", () => {
    expect(
      textsOf(gridOf(`<ul><li>One: ${table("<tr><td>1</td><td>2</td><td>3</td></tr>")}</li></ul>`)),
    ).toEqual([["1", "2", "3"]]);
  });

  test("is read no wider than a realistic table", () => {
    const grid = gridOf(`<table><tr>${'<td colspan="1000">x</td>'.repeat(50)}</tr></table>`);
    expect(grid?.headings.length).toBeLessThanOrEqual(100);
  });
});
