import { apiNames, defaultApis, engineApis } from "@proj/model-apis/names";
import { type FoundValues, type PathIssue, valueAt } from "@proj/program/configuration";
import { withoutTrailingSlash } from "./config-file.ts";

/**
 * The rules across several keys. Each reads what it needs from a file that may have any other fault, so that
 * all faults are reported together; values of the wrong type break no rule.
 */
export function checkConfigRules(file: unknown, values: FoundValues): PathIssue[] {
  const issues = [
    ...checkTelemetry(valueAt(file, "telemetry"), values),
    ...checkStorage(file, values),
    ...checkAuth(valueAt(file, "auth")),
    ...checkSizes(file),
  ];
  const routes: Readonly<Record<string, unknown>> = { ...asObject(valueAt(file, "llm_routes")) };
  const max_cost_usd = valueAt(file, "max_cost_usd");
  for (const [key, route] of Object.entries(routes)) {
    const found = [
      ...checkRoute(route),
      ...checkPrices(route, typeof max_cost_usd === "number"),
      ...checkSideCalls(key, routes),
    ];
    for (const { path, message } of found) {
      issues.push({ path: ["llm_routes", key, ...path], message });
    }
  }
  return issues;
}

function* checkTelemetry(telemetry: unknown, values: FoundValues): Generator<PathIssue> {
  const loss_policy = valueAt(telemetry, "loss_policy");
  if (valueAt(telemetry, "mode") === "strict" && loss_policy !== "fail_closed") {
    const path = ["telemetry", "loss_policy"];
    const found = values.describe(path, loss_policy);
    yield {
      path,
      message: `must be "fail_closed" where telemetry.mode is "strict" (its default), found ${found}; other policies need telemetry.mode: best_effort`,
    };
  }
  const rate = valueAt(telemetry, "payload_sample_rate");
  const sampled = valueAt(telemetry, "capture_payload") === "sampled";
  if (typeof rate === "number" && rate !== 1 && !sampled) {
    yield {
      path: ["telemetry", "payload_sample_rate"],
      message: `is ${rate}, which has an effect only with telemetry.capture_payload: sampled`,
    };
  }
}

function* checkStorage(file: unknown, values: FoundValues): Generator<PathIssue> {
  const path = ["storage_config", "db_url"];
  const db_url = valueAt(file, ...path);
  if (typeof db_url !== "string") return;
  const found = `found ${values.describe(path, db_url)}`;
  const storage_type = valueAt(file, "storage_type");
  if (storage_type === "cloud" && !/^postgres(?:ql)?:\/\/./.test(db_url)) {
    const message = `expected postgres://… or postgresql://… where storage_type is "cloud", ${found}`;
    yield { path, message };
  }
  if (storage_type !== "sqlite") return;
  if (!/^sqlite:\/\/./.test(db_url)) {
    yield { path, message: `expected sqlite://<file> where storage_type is "sqlite", ${found}` };
  } else if (/^sqlite:\/\/\/?:memory:/.test(db_url)) {
    // Readers have their own connections, and the launcher reads the same storage.
    yield { path, message: "must name a file; an in-memory database has only one reader" };
  } else if (db_url.endsWith("/")) {
    yield { path, message: `must name a file, not a folder, ${found}` };
  }
}

function* checkAuth(auth: unknown): Generator<PathIssue> {
  const api_keys = valueAt(auth, "api_keys");
  const items = asList(api_keys);
  if (typeof valueAt(auth, "session_secret") === "string" && items === api_keys && !items.length) {
    yield {
      path: ["auth", "session_secret"],
      message: "also needs auth.api_keys: without them the gateway is open to everyone",
    };
  }
  const keys = items.map((item) => (typeof item === "string" ? item : valueAt(item, "key")));
  yield* checkSessionSecrets(auth, keys);
  for (const index of repeated(keys)) {
    yield {
      path: ["auth", "api_keys", String(index)],
      message: "is the same key as one before it",
    };
  }
}

/** A short secret can be found offline from one session key, and with it the keys of all sessions. */
const minSecret = 16;
const minDifferent = 5;

function* checkSessionSecrets(auth: unknown, keys: readonly unknown[]): Generator<PathIssue> {
  for (const name of ["session_secret", "previous_session_secret"]) {
    const secret = valueAt(auth, name);
    if (typeof secret !== "string" || secret === "") continue;
    const path = ["auth", name];
    if (name !== "session_secret" && typeof valueAt(auth, "session_secret") !== "string") {
      yield { path, message: "needs auth.session_secret, the secret that replaced it" };
    }
    const different = new Set(secret).size;
    const random = "make one with: openssl rand -base64 32";
    if (secret.length < minSecret) {
      const message = `has ${secret.length} characters, and needs at least ${minSecret}; ${random}`;
      yield { path, message };
    } else if (different < minDifferent) {
      const characters = different === 1 ? "character" : "characters";
      yield { path, message: `repeats only ${different} different ${characters}; ${random}` };
    } else if (keys.includes(secret)) {
      const message =
        "is also one of auth.api_keys, whose holders could make the key of any session";
      yield { path, message };
    }
  }
}

function* checkSizes(file: unknown): Generator<PathIssue> {
  const [body, buffered] = [valueAt(file, "max_body_bytes"), valueAt(file, "max_buffered_bytes")];
  if (typeof body === "number" && typeof buffered === "number" && body > buffered) {
    yield {
      path: ["max_buffered_bytes"],
      message: `is ${buffered}, less than max_body_bytes (${body}): a body of that size could never be taken`,
    };
  }
}

function* checkRoute(route: unknown): Generator<PathIssue> {
  const urls = asList(valueAt(route, "base_urls")).map((url) =>
    typeof url === "string" ? withoutTrailingSlash(url) : url,
  );
  for (const index of repeated(urls)) {
    yield { path: ["base_urls", String(index)], message: "is the same URL as one before it" };
  }
  const names = Object.keys(valueAt(route, "headers") ?? {});
  const lower = names.map((name) => name.toLowerCase());
  for (const index of repeated(lower)) {
    const path = ["headers", names[index] ?? ""];
    yield { path, message: "is given twice; header names ignore case" };
  }
  for (const group of ["extra_body", "extra_body_stream"]) {
    const members = Object.keys(valueAt(route, group) ?? {});
    for (const index of repeated(members.map((name) => name.toUpperCase()))) {
      const path = [group, members[index] ?? ""];
      yield { path, message: "is given twice; case makes no difference in a member's name" };
    }
  }
  const authorization = names[lower.indexOf("authorization")];
  if (authorization !== undefined && typeof valueAt(route, "api_key") === "string") {
    const path = ["headers", authorization];
    yield { path, message: "is also the header that api_key sends; set only one of them" };
  }
  const listed = asList(valueAt(route, "endpoints"));
  // A route that lists none has the defaults, and an engine's serves what can be translated.
  const isDefault = defaultApis.every((api, index) => listed[index] === api);
  if (typeof valueAt(route, "engine") !== "string" || isDefault) return;
  const isTranslated = (api: unknown): boolean => engineApis.some((name) => name === api);
  for (const [index, api] of listed.entries())
    if (apiNames.some((name) => name === api) && !isTranslated(api))
      yield {
        path: ["endpoints", String(index)],
        message: "is not translated for an engine; serve it on a route without 'engine'",
      };
}

/** @param areNeeded a budget in money is set, which a route without prices would never use up */
function* checkPrices(route: unknown, areNeeded: boolean): Generator<PathIssue> {
  const prices = asList(valueAt(route, "prices"));
  if (areNeeded && prices.length === 0) {
    const message =
      "is needed where max_cost_usd is set; a model that costs nothing has prices of 0";
    yield { path: ["prices"], message };
  }
  const days = prices.map((price) => String(valueAt(price, "from") ?? "the beginning"));
  for (const index of repeated(days)) {
    const message = `is a second price from ${days[index]} on`;
    yield { path: ["prices", String(index)], message };
  }
}

/** A call moved to a route that refuses it would be lost. */
function* checkSideCalls(
  key: string,
  routes: Readonly<Record<string, unknown>>,
): Generator<PathIssue> {
  const taker = valueAt(routes[key], "side_calls", "route");
  if (typeof taker !== "string") return;
  const path = ["side_calls", "route"];
  if (!Object.hasOwn(routes, taker)) {
    yield { path, message: `'${taker}' is not a key of llm_routes` };
    return;
  }
  if (taker === key) yield { path, message: "is this route itself; name another one" };
  const lacking = apisOf(routes[key]).filter((api) => !apisOf(routes[taker]).includes(api));
  if (lacking.length > 0) {
    const message = `route '${taker}' lacks endpoints of '${key}': ${lacking.join(", ")}`;
    yield { path, message };
  }
}

const apisOf = (route: unknown): readonly unknown[] => {
  const endpoints = valueAt(route, "endpoints");
  return Array.isArray(endpoints) ? endpoints : defaultApis;
};

const asObject = (value: unknown): object =>
  typeof value === "object" && value !== null ? value : {};

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Indices of strings that occurred before. */
function repeated(values: readonly unknown[]): number[] {
  const seen = new Set<unknown>();
  return [...values.keys()].filter((index) => {
    const value = values[index];
    const again = typeof value === "string" && seen.has(value);
    seen.add(value);
    return again;
  });
}
