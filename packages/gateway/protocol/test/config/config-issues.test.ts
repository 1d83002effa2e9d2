import { expect, test } from "vitest";
import { parseConfig } from "../../src/index.ts";
import {
  complaintsOf,
  configErrorOf,
  issuesOf,
  parseRoute,
  parseWithRoutes,
} from "./config-text.ts";

const text = `listen_port: 70000
telemetry:
  mode: stict
  capture_payload: \${CAPTURE}
batch_size: 5
llm_routes:
  "gpt-4.1":
    base_url: https://host/v1
    max_concurency: 2
`;

test("all issues of a file are reported at once, in order, with their places", () => {
  const error = configErrorOf(() => parseConfig(text, "conf/gateway.yaml", {}));
  expect(error.message.split("\n")).toEqual([
    "conf/gateway.yaml: 5 errors",
    "  1:1 listen_port: expected at most 65535, found 70000",
    '  3:3 telemetry.mode: expected "strict" or "best_effort", found "stict"; did you mean "strict"?',
    expect.stringMatching(/^ {2}4:3 telemetry\.capture_payload: .*CAPTURE/),
    "  5:1 batch_size: is not a known key; did you mean telemetry.batch_size?",
    '  9:5 llm_routes["gpt-4.1"].max_concurency: is not a known key; did you mean llm_routes["gpt-4.1"].max_concurrency?',
  ]);
  expect(error.issues).toHaveLength(5);
  expect(error.issues[0]).toEqual({
    path: "listen_port",
    message: "expected at most 65535, found 70000",
    line: 1,
    column: 1,
  });
});

test.each([
  ["listenPort: 1", "listenPort: is not a known key; did you mean listen_port?"],
  ["listen-port: 1", "listen-port: is not a known key; did you mean listen_port?"],
  [
    "telemetry: {modes: strict}",
    "telemetry.modes: is not a known key; did you mean telemetry.mode?",
  ],
  ["timeouts: {idle: 1}", "timeouts.idle: is not a known key; did you mean timeouts.idle_s?"],
  [
    "write_timeout_s: 1",
    "write_timeout_s: is not a known key; did you mean telemetry.write_timeout_s?",
  ],
  ["zzz: 1", "zzz: is not a known key"],
])("%s: the key that was probably meant", (line, complaint) => {
  expect(complaintsOf(() => parseWithRoutes(line))).toEqual([complaint]);
});

test.each([
  ["listen_port: 80.5", "listen_port: expected a whole number, found 80.5"],
  ['listen_port: "80"', 'listen_port: expected a whole number, found "80"'],
  ["listen_port: -1", "listen_port: expected at least 0, found -1"],
  ["listen_port:", "listen_port: expected a whole number, found nothing (null)"],
  [
    "storage_type: postgres",
    'storage_type: expected "sqlite" or "cloud", found "postgres"; did you mean "cloud"?',
  ],
  ["max_steps: .inf", "max_steps: is Infinity, which JSON cannot represent"],
  ["max_sessions: 0", "max_sessions: expected at least 1, found 0"],
  ["drain_timeout_s: -0.5", "drain_timeout_s: expected at least 0, found -0.5"],
  ["timeouts: {idle_s: 0}", "timeouts.idle_s: expected more than 0, found 0"],
  ["timeouts: {idle_s: 9999999}", "timeouts.idle_s: expected at most 2147483, found 9999999"],
  ["timeouts: 5", "timeouts: expected keys and values, found 5"],
  ["timeouts:", "timeouts: is empty; remove the key, or fill it"],
  ["request_log: {enabled: yes}", 'request_log.enabled: expected true or false, found "yes"'],
  ["request_log: {path: ''}", "request_log.path: must not be empty"],
  [
    "request_log: {path: 5}",
    "request_log.path: expected a string, found 5; quotes make it a string",
  ],
  [
    "cors: {allowed_origins: https://a}",
    'cors.allowed_origins: expected a list, found "https://a"',
  ],
  ["storage_type: mysql", 'storage_type: expected "sqlite" or "cloud", found "mysql"'],
])("%s", (line, complaint) => {
  expect(complaintsOf(() => parseWithRoutes(line))).toEqual([complaint]);
});

test("a long value is shown in part", () => {
  const [complaint] = complaintsOf(() => parseWithRoutes(`storage_type: ${"x".repeat(5000)}`));
  expect(complaint?.length).toBeLessThan(200);
});

test("at least one route is required", () => {
  expect(complaintsOf(() => parseConfig("max_steps: 1", "f", {}))).toEqual([
    "llm_routes: is required",
  ]);
  expect(complaintsOf(() => parseConfig("llm_routes: {}", "f", {}))).toEqual([
    "llm_routes: must not be empty",
  ]);
});

test("an issue is placed at its value in the file, or at the alias that brought it", () => {
  const lines = "base_url: http://h/v1\nextra_body: &b {model: x}\nextra_body_stream: *b";
  expect(issuesOf(() => parseRoute(lines)).map(({ line, path }) => [line, path])).toEqual([
    [4, "llm_routes.small.extra_body.model"],
    [5, "llm_routes.small.extra_body_stream.model"],
  ]);
});

test.each([
  ["api_key: 's3cret with spaces'"],
  ["api_key: [s3cret]"],
  ["api_key: {k: s3cret}"],
  ["headers: {x-key: ['s3cret']}"],
  ['headers: {x-key: "s3cret\\nline"}'],
  ["base_urls: ['https://u:s3cret@h/v1']"],
  ["base_url: 'ftp://u:s3cret@h/v1'"],
  ["base_url: 'https://h/v1?api_key=s3cret'"],
  ["extra_body: {stream: s3cret}"],
])("no error of a route shows the secret of %j", (line) => {
  const error = configErrorOf(() => parseRoute(line));
  expect(error.issues.length).toBeGreaterThan(0);
  expect(error.message).not.toContain("s3cret");
});

test.each([
  ["auth: {api_keys: s3cret}"],
  ["auth: {api_keys: ['s3cret key']}"],
  ["auth: {api_keys: [{key: 's3cret key'}]}"],
  ["auth: {api_keys: [[s3cret]]}"],
  ["auth: {session_secret: {x: s3cret}}"],
  ["storage_config: {db_url: 'mysql://u:s3cret@h/d'}"],
  ["storage_type: cloud\nstorage_config: {db_url: 'http://h/d?password=s3cret'}"],
  ["deprecations: {feed: ['https://u:s3cret@h']}"],
])("nor does any other error, of %j", (line) => {
  const error = configErrorOf(() => parseWithRoutes(line));
  expect(error.issues.length).toBeGreaterThan(0);
  expect(error.message).not.toContain("s3cret");
});

test("a route's plain key does not show what a variable holds", () => {
  const error = configErrorOf(() => parseRoute(`base_url: \${KEY}`, { KEY: "s3cret" }));
  expect(error.message).toContain("found the value of KEY");
  expect(error.message).not.toContain("s3cret");
});

test.each([
  [`listen_host: '\${KEY} \${OTHER}'`, "found the value of KEY and OTHER"],
  [`storage_config: {db_url: 'sqlite-\${KEY}'}`, "found the value of KEY"],
  [`storage_type: \${KEY}`, "found the value of KEY"],
  [`cors: {allowed_origins: '\${LIST}'}`, "found the value of LIST"],
  [`telemetry: {loss_policy: '\${KEY}'}`, "found the value of KEY"],
])("nor does any other plain key: %s", (line, found) => {
  const env = { KEY: "s3cret", OTHER: "s3cret", LIST: "[s3cret]" };
  const error = configErrorOf(() => parseWithRoutes(line, env));
  expect(error.message).toContain(found);
  expect(error.message).not.toContain("s3cret");
});

test.each([
  "sk-proj-0a1b2c3d4e5f",
  "sess_0a1b2c3d4e5f6a7b",
  "ghp_0a1b2c3d4e5f6a7b8c9d",
  "Bearer 0a1b2c3d",
  "eyJhbGciOiJIUzI1NiJ9.e30.c2ln",
  "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
])("a credential that was written under a plain key is not shown: %s", (credential) => {
  const error = configErrorOf(() => parseRoute(`base_url: '${credential}'`));
  expect(error.message).toContain("found something that looks like a credential");
  expect(error.message).not.toContain(credential);
});

test("a number in place of a key is not shown either", () => {
  const error = configErrorOf(() => parseWithRoutes("auth: {api_keys: [424242]}"));
  expect(error.message).toContain(
    "auth.api_keys[0]: expected a string or keys and values, found a number",
  );
  expect(error.message).not.toContain("424242");
});
