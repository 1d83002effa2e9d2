import { isLeftOutWithoutChromium, pageFaults } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("rendered texts in a browser");

const answer = `## Result

The answer is **4.2 million**, see [the source](javascript:window.hacked=1) and ![x](https://tracker.example/a.png).

| city | people |
| --- | --- |
| Rome | 4.2 |

1. first <img src=x onerror="window.hacked=1">
2. second

\`\`\`diff
-minute <= 60
+minute < 60
\`\`\`
`;
const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old line\n+new line\n";
const output = JSON.stringify({ exit_code: 0, stdout: "first line\nsecond <b>line</b>" });
const formulas = `So \\(x_1 \\le \\frac{a}{b}\\), it costs $5 and $10, $HOME:$PATH is \`$PATH$\`, and $x_1*y*z$ is it.

\\[
\\begin{aligned} a &= b \\\\
- c &= d \\end{aligned}
\\]

| a | b |
| --- | --- |
| $\\alpha$ | $$\\beta$$ |

**Answer**: \\boxed{19{8}}`;
/** Each could act, move, load, or take long. */
const hostileFormulas = [
  "\\href{javascript:window.hacked=1}{x}",
  "\\url{javascript:window.hacked=1}",
  "\\includegraphics{https://tracker.example/a.png}",
  "\\htmlStyle{position:fixed}{x}\\htmlData{a=b}{x}\\htmlId{app}{x}",
  "\\fcolorbox{red}{blue}{x}\\pmb{x}\\raisebox{-90em}{x}\\hspace{-90em}x\\kern-90em x",
  "\\text{<img src=x onerror=window.hacked=1>}",
  `\\def\\a{${"x".repeat(900)}}${"\\a".repeat(300)}`,
  "\\newcommand{\\a}{\\a\\a}\\a",
  `${"\\sqrt{".repeat(280)}x${"}".repeat(280)}`,
  `${"x^{".repeat(600)}${"}".repeat(600)}`,
  `${"\\begin{matrix}".repeat(50)}${"\\end{matrix}".repeat(50)}`,
  "\\frac{",
].map((latex) => `$$${latex}$$`);

/** Each could make a reader of Markdown slow, or exhaust its stack. */
const hostile = [
  "> ".repeat(5_500),
  "[".repeat(11_000),
  "*a _b ".repeat(1_800),
  "- ".repeat(5_500),
  "$".repeat(11_001),
  "\\( ".repeat(3_600),
  "$x$ ".repeat(2_900),
  "\\boxed{".repeat(1_500),
];

describe.skipIf(isSkipped)("texts are rendered in Chromium", () => {
  let console: ViewedConsole;
  beforeAll(async () => {
    const result = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content });
    console = await viewStorage(async (sample) => {
      await sample.converse("s", [
        {
          added: [
            { role: "user", content: "# Go\n**now**" },
            result("1", diff),
            result("2", output),
          ],
          answer: { role: "assistant", content: answer },
        },
      ]);
      for (const [session_id, content] of [
        ["formulas", formulas],
        ["hostile formulas", hostileFormulas.join("\n\n")],
      ] as const)
        await sample.converse(session_id, [
          {
            added: [{ role: "user", content: "What is it?" }],
            answer: { role: "assistant", content },
          },
        ]);
      await sample.converse(
        "hostile",
        hostile.map((content) => ({
          added: [{ role: "user", content: "Go on." }],
          answer: { role: "assistant", content: `**x** ${content}` },
        })),
      );
    });
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  test.each(["light", "dark"] as const)(
    "Markdown, differences and results are readable, raw on demand, and nothing in them acts, in the %s scheme",
    async (colorScheme) => {
      const page = await console.open("#/sessions/s", { colorScheme });
      const said = page.locator("article .answer .markdown");
      await said.locator("strong", { hasText: "4.2 million" }).waitFor();
      expect(await said.locator("td").allTextContents()).toEqual(["Rome", "4.2"]);
      expect(await said.locator("ol > li").count()).toBe(2);
      expect(await said.locator(".gain").allTextContents()).toEqual(["+minute < 60"]);
      await said.getByText("Image not loaded: x https://tracker.example/a.png").waitFor();
      expect(await page.locator("article a, article img").count()).toBe(0);
      await page.keyboard.press("e");
      const article = page.locator("article");
      await article.locator(".bad", { hasText: "-old line" }).waitFor();
      await article.locator("dt", { hasText: "stdout" }).waitFor();
      await article.getByText("second <b>line</b>").last().waitFor();
      expect(await pageFaults(page)).toEqual([]);
      await page.keyboard.press("r");
      await page.locator("article .answer").getByText("**4.2 million**").waitFor();
      expect(await page.locator(".markdown").count()).toBe(0);
      await page.getByRole("button", { name: "Raw" }).click();
      await said.locator("strong").first().waitFor();
      expect(await page.evaluate("window.hacked")).toBeUndefined();
      await page.context().close();
    },
  );

  test.each(["light", "dark"] as const)(
    "LaTeX is shown as formulas, raw on demand, in the %s scheme",
    async (colorScheme) => {
      const page = await console.open("#/sessions/formulas", { colorScheme });
      const said = page.locator("article .answer .markdown");
      await said.locator("math").nth(5).waitFor();
      expect(await said.locator("math").allTextContents()).toEqual([
        ...["x1≤ab", "x1∗y∗z", "a=b−c=d", "α", "β", "198"],
      ]);
      expect(
        await said
          .locator("math")
          .first()
          .evaluate((math) => math.namespaceURI),
      ).toBe("http://www.w3.org/1998/Math/MathML");
      await said.getByText("it costs $5 and $10, $HOME:$PATH is $PATH$, and").waitFor();
      const box = "getComputedStyle(document.querySelector('menclose')).borderTopStyle";
      expect(await page.evaluate(box)).toBe("solid");
      expect(await pageFaults(page)).toEqual([]);
      await page.keyboard.press("r");
      await page.locator("article .answer").getByText("\\boxed{19{8}}").waitFor();
      expect(await page.locator("math").count()).toBe(0);
      await page.context().close();
    },
  );

  test("nothing in a formula acts, loads, moves or takes long", async () => {
    const page = await console.open("#/sessions/hostile formulas");
    const said = page.locator("article .answer .markdown");
    await said.locator("math").first().waitFor();
    await said.getByText("\\def\\a{xxx").waitFor();
    await said.getByText("\\frac{").last().waitFor();
    expect(await said.locator("math").count()).toBe(6);
    expect(await said.locator("math", { hasText: "<img src=x" }).count()).toBe(1);
    expect(await said.locator("a, img, [style], [href], [id], [src]").count()).toBe(0);
    const outside = `[...document.querySelectorAll("math *")].filter((element) => {
      const [own, box] = [element.getBoundingClientRect(), element.closest(".formula").getBoundingClientRect()];
      return own.width > 0 && (own.left < box.left - 1 || own.top < box.top - 20 || own.bottom > box.bottom + 20);
    }).map((element) => element.outerHTML)`;
    expect(await page.evaluate(outside)).toEqual([]);
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    await page.context().close();
  });

  test("texts that are made to be slow to read, or nested too deep, are shown", async () => {
    const page = await console.open("#/sessions/hostile");
    for (const step of hostile.keys()) {
      await page
        .locator(`article[aria-label="Step ${step + 1}"] .answer`)
        .getByText("x")
        .first()
        .waitFor();
      await page.keyboard.press("j");
    }
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
