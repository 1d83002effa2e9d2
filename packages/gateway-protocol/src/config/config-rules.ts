import { maskUrl } from "../secret-masking.ts";
import { withoutTrailingSlash } from "./config-file.ts";
import type { PathIssue } from "./config-references.ts";
import { valueAt } from "./key-path.ts";

/**
 * The rules that relate several keys. Each reads what it needs of a file that may have any other
 * fault, so that all faults are reported together; values of the wrong type break no rule.
 */
export function checkConfigRules(file: unknown): PathIssue[] {
  const issues = [
    ...checkTelemetry(valueAt(file, "telemetry")),
    ...checkStorage(file),
    ...checkAuth(valueAt(file, "auth")),
    ...checkSizes(file),
  ];
  for (const [key, route] of Object.entries(valueAt(file, "llm_routes") ?? {})) {
    for (const { path, message } of checkRoute(route)) {
      issues.push({ path: ["llm_routes", key, ...path], message });
    }
  }
  return issues;
}

function* checkTelemetry(telemetry: unknown): Generator<PathIssue> {
  const loss_policy = valueAt(telemetry, "loss_policy");
  if (valueAt(telemetry, "mode") === "strict" && loss_policy !== "fail_closed") {
    yield {
      path: ["telemetry", "loss_policy"],
      message: `must be "fail_closed" where telemetry.mode is "strict" (its default); "${loss_policy}" needs telemetry.mode: best_effort`,
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

function* checkStorage(file: unknown): Generator<PathIssue> {
  const path = ["storage_config", "db_url"];
  const db_url = valueAt(file, ...path);
  if (typeof db_url !== "string") return;
  const found = `found ${JSON.stringify(maskUrl(db_url))}`;
  const storage_type = valueAt(file, "storage_type");
  if (storage_type === "cloud" && !/^postgres(?:ql)?:\/\/./.test(db_url)) {
    const message = `expected postgres://… or postgresql://… where storage_type is "cloud", ${found}`;
    yield { path, message };
  }
  if (storage_type !== "sqlite") return;
  if (!/^sqlite:\/\/./.test(db_url)) {
    yield { path, message: `expected sqlite://<file> where storage_type is "sqlite", ${found}` };
  } else if (/^sqlite:\/\/\/?:memory:/.test(db_url)) {
    // Readers have connections of their own, and the launcher reads the same storage.
    yield { path, message: "must name a file; a database in memory has one reader only" };
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
      message: "needs auth.api_keys beside it: without them the gateway is open to everybody",
    };
  }
  const keys = items.map((item) => (typeof item === "string" ? item : valueAt(item, "key")));
  for (const index of repeated(keys)) {
    yield {
      path: ["auth", "api_keys", String(index)],
      message: "is the same key as one before it",
    };
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
    yield { path, message: "is there twice; case makes no difference in a header's name" };
  }
  const authorization = names[lower.indexOf("authorization")];
  if (authorization !== undefined && typeof valueAt(route, "api_key") === "string") {
    const path = ["headers", authorization];
    yield { path, message: "is also what api_key sends; one of them is expected" };
  }
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Indices of the strings that have come before. */
function repeated(values: readonly unknown[]): number[] {
  const seen = new Set<unknown>();
  return [...values.keys()].filter((index) => {
    const value = values[index];
    const again = typeof value === "string" && seen.has(value);
    seen.add(value);
    return again;
  });
}
