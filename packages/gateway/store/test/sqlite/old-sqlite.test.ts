import { execFileSync, spawnSync } from "node:child_process";
import { isLeftOut } from "@proj/test-kit";
import { expect, test } from "vitest";
import {
  builtOn,
  newSession,
  openStoreOf,
  soon,
  temporaryFile,
  utf8,
} from "../temporary-database.ts";

const query = "select messages, request from session_steps order by id";

const python = `
import json, sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()
print(json.dumps(rows, ensure_ascii=False))`;

/** Programs with a SQLite of their own, which is often years older than the gateway's. */
const readers = {
  sqlite3: (file: string, sql: string): unknown =>
    JSON.parse(execFileSync("sqlite3", ["-json", file, sql], { encoding: "utf8" })).map(
      Object.values,
    ),
  python3: (file: string, sql: string): unknown =>
    JSON.parse(execFileSync("python3", ["-c", python, file, sql], { encoding: "utf8" })),
};

/** A Python may be there without its library. */
const isHere = (program: string): boolean =>
  program === "python3"
    ? spawnSync(program, ["-c", "import json, sqlite3"]).status === 0
    : spawnSync(program, ["--version"]).status === 0;

/** A database with one chain of three rows, as a closed gateway leaves it. */
async function fileWithHistories(): Promise<string> {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const { row } = newSession(store);
  const [first] = await store.writeSteps([row(1, { messages: utf8('["漢"') })], soon());
  const history = builtOn(first, 6);
  const [second] = await store.writeSteps(
    [row(2, { request: null, messages: utf8(',"two"'), history })],
    soon(),
  );
  const next = builtOn(second, 12);
  await store.writeSteps([row(3, { request: null, messages: utf8(",3]"), history: next })], soon());
  await store.close();
  return file;
}

const whole = [
  ['["漢"', '{"model":"policy"}'],
  ['["漢","two"', '{"model":"policy"}'],
  ['["漢","two",3]', '{"model":"policy"}'],
];

for (const [program, read] of Object.entries(readers)) {
  const isSkipped = isLeftOut(
    `the gateway's file read by ${program}`,
    isHere(program),
    `on Debian: apt-get install ${program}`,
  );

  test.skipIf(isSkipped)(`${program} reads whole rows`, async () => {
    expect(read(await fileWithHistories(), query)).toEqual(whole);
  });
}
