import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const sections = new Set(
  [...readFileSync(`${root}docs/interfaces.md`, "utf8").matchAll(/^#+ (.+)$/gm)].map(
    ([, title]) => title,
  ),
);

test("every section of docs/interfaces.md that a comment cites exists", () => {
  const sources = globSync("{packages/*,apps}/*/{src,test}/**/*.ts", { cwd: root });
  const cited = sources.flatMap((file) => {
    const text = readFileSync(root + file, "utf8").replaceAll(/\n\s*(?:\*|\/\/) ?/g, " ");
    return [...text.matchAll(/docs\/interfaces\.md, "([^"]+)"/g)].map(([, title]) => ({
      file,
      title,
    }));
  });
  expect(cited.length).toBeGreaterThan(10);
  expect(cited.filter(({ title }) => !sections.has(title))).toEqual([]);
});
