import { type PointsSettings, parseSettings } from "@proj/points-server";
import { ConfigError } from "@proj/program/configuration";
import { expect, test } from "vitest";
import { program } from "../http/served-store.ts";

/** JSON is YAML. */
const parse = (value: unknown, env: Readonly<Record<string, string>> = {}): PointsSettings =>
  parseSettings(JSON.stringify(value), "points.yaml", env);
const reference = (name: string): string => `\${${name}}`;

test("omitted settings have their defaults", () => {
  expect(parse({ program })).toEqual({
    listen_host: "127.0.0.1",
    listen_port: 8080,
    prefix: "api",
    db_url: "sqlite://points.db",
    synchronous: "full",
    pool_size: 10,
    job_niceness: 15,
    log_path: null,
    price_max_age_s: 0,
    ...{ price_sources: [], price_interval_s: 10, price_stale_s: 60 },
    ingest_secret: null,
    max_body_bytes: 4_194_304,
    program,
  });
});

test("settings are read, and secrets may come from the environment", () => {
  const env = { DB: "postgres://u:p@h/db", KEY: "whsec_c2VjcmV0", PYTH: "12345" };
  const given = {
    ...{ listen_host: "::", listen_port: 0, prefix: "v1/points", synchronous: "normal" },
    ...{
      pool_size: 3,
      job_niceness: 0,
      max_body_bytes: 2_000,
      log_path: "points.log",
      price_max_age_s: 5,
      program,
    },
  };
  const tokens = { SOL: "ab" };
  const sources = (hermesKey: string) => ({
    price_sources: [
      { kind: "hermes", base_url: "https://hermes.example", api_key: hermesKey, tokens },
      { kind: "jupiter", base_url: "https://jupiter.example", api_key: null, tokens },
    ],
    ...{ price_interval_s: 5, price_stale_s: 30 },
  });
  const references = { db_url: reference("DB"), ingest_secret: reference("KEY") };
  expect(parse({ ...given, ...sources(reference("PYTH")), ...references }, env)).toEqual({
    ...{ ...given, ...sources(env.PYTH) },
    ...{ db_url: env.DB, ingest_secret: env.KEY },
  });
});

test("all errors are reported at once, without secrets", () => {
  const wrong = {
    ...{ listen_prot: 1, listen_port: 70_000, prefix: "/api", db_url: "mysql://u:hidden@h/db" },
    ...{ synchronous: "off", ingest_secret: "hidden", program: { ...program, refreshTime: 0 } },
  };
  const read = () => parse(wrong);
  expect(read).toThrow(ConfigError);
  for (const name of [
    "listen_prot: is not a known key; did you mean listen_port?",
    "listen_port",
    "prefix",
    "db_url",
    "synchronous",
  ])
    expect(read).toThrow(name);
  expect(read).toThrow(/ingest_secret/);
  expect(read).toThrow(/program.refreshTime: expected at least 1, found 0/);
  expect(read).not.toThrow(/hidden/);
});

test.each([
  [null, /is empty; program, at least, is required/],
  [[], /expected keys and values, found a list/],
  [{}, /program: is required/],
  [{ program: [] }, /program: expected keys and values, found a list/],
  [
    { program: { ...program, refreshTim: 1 } },
    /refreshTim: is not a known key; did you mean program.refreshTime/,
  ],
  [
    { program: { ...program, swapPairs: [{ tokenX: "X", tokenY: "X" }] } },
    /swapPairs\[0\]: must name two tokens/,
  ],
  [{ program, ingest_secret: reference("NO_SUCH") }, /NO_SUCH, which is not set/],
])("%j is refused", (value, message) => {
  expect(() => parse(value)).toThrow(message);
});
