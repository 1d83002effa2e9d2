import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Client, clients } from "../src/clients/clients.ts";

// What docs/agents.md tells people to write is what the clients are run with.

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

/** The page's blocks of code by the clients that they name behind their languages. */
const blocks = new Map(
  [...read("../../docs/agents.md").matchAll(/^```(?:js|py) ([^\n]+)\n(.*?)^```$/gms)].flatMap(
    ([, names = "", code = ""]) => names.split(" ").map((name) => [name, code] as const),
  ),
);

/** Without what a formatter may change. */
const bare = (code: string): string => code.replaceAll(/\s/g, "").replaceAll(/,(?=[)}\]])/g, "");

const fileOf = ({ kit, name }: Client): string =>
  kit === "javascript" ? `javascript/${name}.mjs` : `python/${name}.py`;

test("every client has its lines on the page, and nothing else has", () => {
  expect([...blocks.keys()].sort()).toEqual(clients.map(({ name }) => name).sort());
});

test.each(clients)("$kit: $title joins a session as the page says ($api)", (client) => {
  const code = bare(read(`../clients/${fileOf(client)}`));
  for (const lines of blocks.get(client.name)?.split(/\n{2,}/) ?? [])
    expect(code).toContain(bare(lines));
});
