import { execFileSync, spawnSync } from "node:child_process";
import { isLeftOut } from "@proj/test-kit";
import { expect, test } from "vitest";
import {
  connectTo,
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

const isHere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

/** A database with one chain of three rows, as a closed gateway leaves it. */
async function fileWithHistories(): Promise<string> {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const { row } = newSession(store);
  const [first] = await store.writeSteps([row(1, { messages: utf8('["漢"') })], soon());
  const history = { messages_base: first?.id ?? 0, messages_shared: 6 };
  const [second] = await store.writeSteps(
    [row(2, { request: null, messages: utf8(',"two"'), history })],
    soon(),
  );
  const next = { messages_base: second?.id ?? 0, messages_shared: 12 };
  await store.writeSteps([row(3, { request: null, messages: utf8(",3]"), history: next })], soon());
  await store.close();
  return file;
}

const whole = [
  ['["漢"', '{"model":"policy"}'],
  ['["漢","two"', '{"model":"policy"}'],
  ['["漢","two",3]', '{"model":"policy"}'],
];

const withoutLaterTables =
  "drop table job_feeds; drop table finished_groups; drop table route_states; drop table gateway_reports; drop table session_forks; drop table session_conversations; drop index job_environments_by_group; alter table session_owners drop column last_closed_at";

const formerView = `create view session_steps as select id, (
  with recursive link (base, part, depth) as (
    select step.messages_base, step.messages, 0
    union all
    select earlier.messages_base, earlier.messages, link.depth + 1
    from link join stored_steps as earlier on earlier.id = link.base
  )
  select group_concat(part, '' order by depth desc) from link
) as messages from stored_steps as step`;

for (const [program, read] of Object.entries(readers)) {
  const isSkipped = isLeftOut(
    `the gateway's file read by ${program}`,
    isHere(program),
    `on Debian: apt-get install ${program}`,
  );

  test.skipIf(isSkipped)(`${program} reads whole rows`, async () => {
    expect(read(await fileWithHistories(), query)).toEqual(whole);
  });

  test.skipIf(isSkipped)(`${program} reads a file that had the former view`, async () => {
    const file = await fileWithHistories();
    const database = connectTo(file);
    database.exec(
      `drop view session_steps; ${formerView}; ${withoutLaterTables}; update storage_info set schema_version = 4`,
    );
    database.close();
    await (await openStoreOf(file)).close();
    expect(read(file, query)).toEqual(whole);
  });
}
