import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const page = fileURLToPath(new URL("../../../docs/agents.md", import.meta.url));

/** Replaces the table that a measurement keeps in docs/agents.md. @param lines of Markdown, its head included */
export function writeTable(measurement: "clients" | "endings", lines: readonly string[]): void {
  const begin = `<!-- ${measurement}: begin (npm run bench -- ${measurement} --write-readme) -->`;
  const end = `<!-- ${measurement}: end -->`;
  const text = readFileSync(page, "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/agents.md has lost its markers: ${begin}`);
  const table = [`Run ${new Date().toISOString().slice(0, 10)}.`, "", ...lines].join("\n");
  const kept = [text.slice(0, from + begin.length), text.slice(to)];
  writeFileSync(page, kept.join(`\n\n${table}\n\n`));
}
