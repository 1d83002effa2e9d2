// Prints the outcome for redesigned pages, by kind of redesign: `pnpm --filter deprecation-feed mutations`.
import { toHtml } from "../../src/extraction/markdown.ts";
import { hasPublishedPages, ownPages, publishedPages } from "../providers/pages.ts";
import { mutations } from "./kinds.ts";
import { outcomeOf } from "./outcome.ts";

const sets = [
  { name: "our own pages", pages: ownPages() },
  ...(hasPublishedPages ? [{ name: "published pages", pages: publishedPages() }] : []),
].flatMap((set) => (["next", "first"] as const).map((run) => ({ ...set, run })));
const wanted = process.argv.find((argument) => argument.startsWith("--only="))?.slice(7) ?? "";
for (const { name, pages, run } of sets.filter(({ name, run }) =>
  `${name} ${run}`.includes(wanted),
)) {
  const total = { right: 0, noticed: 0, silent: 0, none: 0 };
  const silent: string[] = [];
  console.log(`\n${name}, ${run} run: ${mutations.length} kinds × ${pages.length} providers\n`);
  console.log("right  noticed  silent");
  for (const mutation of mutations) {
    const count = { right: 0, noticed: 0, silent: 0, none: 0 };
    for (const { provider, text } of pages) {
      const outcome = outcomeOf(provider, toHtml(text), mutation, run);
      count[outcome.kind] += 1;
      total[outcome.kind] += 1;
      if (outcome.kind === "silent")
        silent.push(`${mutation.group}, ${mutation.name}, ${provider.label}: ${outcome.what}`);
      if (outcome.kind === "noticed" && process.argv.includes("--reasons"))
        console.log(`    ${provider.label}: ${outcome.reason}`);
    }
    const cells = [count.right, count.noticed, count.silent].map((value) =>
      String(value).padStart(5),
    );
    console.log(`${cells.join("   ")}    ${mutation.group}: ${mutation.name}`);
  }
  console.log(
    `\n${total.right} right, ${total.noticed} noticed, ${total.silent} silent; ${total.none} without effect`,
  );
  for (const line of silent) console.log(`  ${line}`);
}
