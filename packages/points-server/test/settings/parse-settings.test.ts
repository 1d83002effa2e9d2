import { parseSettings, SettingsError } from "@proj/points-server";
import { expect, test } from "vitest";
import { program } from "../http/served-store.ts";

const reference = (name: string): string => `\${${name}}`;

test("what is not said has its default", () => {
  expect(parseSettings({ program })).toEqual({
    listen_host: "127.0.0.1",
    listen_port: 8080,
    prefix: "api",
    db_url: "sqlite://points.db",
    synchronous: "full",
    pool_size: 10,
    ingest_secret: null,
    max_body_bytes: 4_194_304,
    program,
  });
});

test("what is said is taken, and secrets may stand in the environment", () => {
  const env = { DB: "postgres://u:p@h/db", KEY: "whsec_c2VjcmV0" };
  const given = {
    ...{ listen_host: "::", listen_port: 0, prefix: "v1/points", synchronous: "normal" },
    ...{ pool_size: 3, max_body_bytes: 2_000, program },
  };
  const references = { db_url: reference("DB"), ingest_secret: reference("KEY") };
  expect(parseSettings({ ...given, ...references }, env)).toEqual({
    ...given,
    ...{ db_url: env.DB, ingest_secret: env.KEY },
  });
});

test("all that is wrong is said at once, without secrets", () => {
  const wrong = {
    ...{ listen_prot: 1, listen_port: 70_000, prefix: "/api", db_url: "mysql://u:hidden@h/db" },
    ...{ synchronous: "off", ingest_secret: "hidden", program: { ...program, refreshTime: 0 } },
  };
  const read = () => parseSettings(wrong);
  expect(read).toThrow(SettingsError);
  for (const name of [
    "listen_prot is no setting",
    "listen_port",
    "prefix",
    "db_url",
    "synchronous",
  ])
    expect(read).toThrow(name);
  expect(read).toThrow(/ingest_secret/);
  expect(read).toThrow(/program: refreshTime/);
  expect(read).not.toThrow(/hidden/);
});

test.each([
  [null, /must be a map/],
  [[], /must be a map/],
  [{}, /program is missing/],
  [{ program: [] }, /program must be object/],
  [{ program, ingest_secret: reference("NO_SUCH") }, /NO_SUCH, which is not set/],
])("%j is refused", (value, message) => {
  expect(() => parseSettings(value, {})).toThrow(message);
});
