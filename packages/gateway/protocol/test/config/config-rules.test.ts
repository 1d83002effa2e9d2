import { describe, expect, test } from "vitest";
import { complaintsOf, issuesOf, parseRoute, parseWithRoutes } from "./config-text.ts";

const accepted = (text: string): void => {
  expect(() => parseWithRoutes(text)).not.toThrow();
};
const refused = (text: string, complaint: RegExp): void => {
  const complaints = complaintsOf(() => parseWithRoutes(text));
  expect(complaints).toEqual([expect.stringMatching(complaint)]);
};

describe("telemetry", () => {
  test.each([["drop_newest"], ["drop_oldest"]])("strict does not allow %s", (loss_policy) => {
    const complaint =
      /^telemetry\.loss_policy: must be "fail_closed" .* telemetry\.mode: best_effort/;
    refused(`telemetry: {mode: strict, loss_policy: ${loss_policy}}`, complaint);
    refused(`telemetry: {loss_policy: ${loss_policy}}`, complaint);
    accepted(`telemetry: {mode: best_effort, loss_policy: ${loss_policy}}`);
  });

  test("a sample rate needs capture_payload: sampled", () => {
    refused(
      "telemetry: {payload_sample_rate: 0.5}",
      /^telemetry\.payload_sample_rate: is 0\.5, .*\.capture_payload: sampled/,
    );
    accepted("telemetry: {payload_sample_rate: 0.5, capture_payload: sampled}");
    accepted("telemetry: {payload_sample_rate: 1.0, capture_payload: none}");
    accepted("telemetry: {payload_sample_rate: 1, capture_payload: sampled}");
  });
});

describe("storage", () => {
  test.each([
    ["sqlite", "sqlite://file.db"],
    ["sqlite", "sqlite:///abs/file.db"],
    ["cloud", "postgres://u:p@h:5432/d"],
    ["cloud", "postgresql://h/d?sslmode=require"],
  ])("%s accepts %s", (storage_type, db_url) => {
    accepted(`storage_type: ${storage_type}\nstorage_config: {db_url: '${db_url}'}`);
  });

  test.each([
    ["sqlite", "postgres://h/d", /expected sqlite:\/\/<file> .* found "postgres:\/\/h\/d"/],
    ["sqlite", "file.db", /expected sqlite:\/\/<file>/],
    ["sqlite", "sqlite://", /expected sqlite:\/\/<file>/],
    ["sqlite", "sqlite://:memory:", /must name a file/],
    ["sqlite", "sqlite://data/", /must name a file, not a folder/],
    ["cloud", "sqlite://file.db", /expected postgres:\/\/… or postgresql:\/\/…/],
    ["cloud", "mysql://u:p@h/d", /found "mysql:\/\/u:\*\*\*@h\/d"/],
  ])("%s refuses %s", (storage_type, db_url, complaint) => {
    refused(`storage_type: ${storage_type}\nstorage_config: {db_url: '${db_url}'}`, complaint);
  });

  test("cloud has no default", () => {
    refused("storage_type: cloud", /^storage_config\.db_url: expected postgres:/);
  });
});

describe("callers", () => {
  test.each([
    ["0123456789abcde", /^auth\.session_secret: has 15 characters, .* at least 16/],
    ["aaaaaaaaaaaaaaaaaaaaaaaa", /^auth\.session_secret: repeats only 1 different character/],
    ["abababababababababababab", /^auth\.session_secret: repeats only 2 different characters/],
  ])("a guessable session secret is refused, and not shown: %s", (secret, complaint) => {
    const text = `auth: {session_secret: ${secret}, api_keys: [k]}`;
    refused(text, complaint);
    expect(complaintsOf(() => parseWithRoutes(text)).join()).not.toContain(secret);
  });

  test("the previous secret needs the current one, and must be as strong", () => {
    const secrets = (previous: string): string =>
      `auth: {api_keys: [k], session_secret: 0123456789abcdef, previous_session_secret: ${previous}}`;
    accepted(secrets("fedcba9876543210"));
    refused(secrets("short"), /^auth\.previous_session_secret: has 5 characters/);
    refused(
      "auth: {api_keys: [k], previous_session_secret: fedcba9876543210}",
      /^auth\.previous_session_secret: needs auth\.session_secret/,
    );
  });

  test.each([["an-api-key-that-is-long"], ["{name: trainer, key: an-api-key-that-is-long}"]])(
    "an API key may not be the session secret too: %s",
    (key) => {
      refused(
        `auth: {session_secret: an-api-key-that-is-long, api_keys: [k, ${key}]}`,
        /^auth\.session_secret: is also one of auth\.api_keys/,
      );
    },
  );

  test("session keys require API keys", () => {
    const session_secret = "0123456789abcdef";
    refused(
      `auth: {session_secret: ${session_secret}}`,
      /^auth\.session_secret: also needs auth\.api_keys/,
    );
    accepted(`auth: {session_secret: ${session_secret}, api_keys: [k]}`);
  });

  test("a key may be given once", () => {
    refused("auth: {api_keys: [k, {name: n, key: k}]}", /^auth\.api_keys\[1\]: is the same key/);
  });

  test.each([["'*'"], ["https://host/"], ["https://host/path"], ["host"], ["https://u@host"]])(
    "%s is not an origin",
    (origin) => refused(`cors: {allowed_origins: [${origin}]}`, /expected an origin such as/),
  );

  test("an origin has the form that browsers send", () => {
    refused("cors: {allowed_origins: ['https://Host:443']}", /expected the form https:\/\/host,/);
    accepted("cors: {allowed_origins: ['https://host', 'http://localhost:3000', 'app://x']}");
  });
});

test("a body must fit in the memory for bodies", () => {
  refused("max_buffered_bytes: 1000", /^max_buffered_bytes: is 1000, less than max_body_bytes/);
  accepted("max_buffered_bytes: 1000\nmax_body_bytes: 1000");
});

describe("base_session_path", () => {
  test.each([["/sessions"], ["/v1/sessions"], ["/v1/models-of"], ["/a.b/c_d~e-f"], ["/v2"]])(
    "may be %s",
    (path) => accepted(`base_session_path: ${path}`),
  );

  test.each([
    ["/v1", /would hide the endpoint \/v1\//],
    ["/V1", /would hide the endpoint \/v1\//],
    ["/v1/chat", /would hide the endpoint \/v1\/chat\/completions/],
    ["/v1/chat/completions", /would hide the endpoint/],
    ["/v1/responses", /would hide the endpoint/],
    ["/v1/models", /would hide the endpoint/],
    ["/healthz", /would hide the endpoint/],
    ["/readyz", /would hide the endpoint/],
    ["/metrics", /would hide the endpoint/],
    ["/", /expected a path such as/],
    ["''", /expected a path such as/],
    ["v1/sessions", /expected a path such as/],
    ["http://h/x", /expected a path such as/],
    ["/v1/sessions/", /must not end in a slash/],
    ["/a//b", /may have only letters/],
    ["/a/../b", /may have only letters/],
    ["/a b", /may have only letters/],
    ["/a%20b", /may have only letters/],
    ["/:id", /may have only letters/],
    ["/a?b", /may have only letters/],
  ])("may not be %s", (path, complaint) => refused(`base_session_path: ${path}`, complaint));
});

test.each([["127.0.0.1:80"], ["http://host"], ["'[::1]'"], ["'a b'"], ["''"]])(
  "listen_host may not be %s",
  (host) => refused(`listen_host: ${host}`, /^listen_host: expected an address/),
);

test("a rule ignores a value that another error is about", () => {
  expect(
    issuesOf(() => parseWithRoutes("telemetry: {loss_policy: drop}")).map(({ path }) => path),
  ).toEqual(["telemetry.loss_policy"]);
  expect(
    complaintsOf(() => parseWithRoutes(`storage_type: cloud\nstorage_config: {db_url: "\${DB}"}`)),
  ).toEqual([expect.stringContaining("environment variable DB")]);
});

test("rules and mistakes of other kinds are reported together", () => {
  const complaints = complaintsOf(() =>
    parseRoute("base_url: http://h/v1\nretries: -1\nheaders: {A: x, a: y}"),
  );
  expect(complaints).toHaveLength(2);
});
