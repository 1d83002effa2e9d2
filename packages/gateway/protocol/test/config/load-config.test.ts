import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig, parseConfig } from "../../src/index.ts";
import { complaintsOf, configErrorOf, parseRoute, parseWithRoutes } from "./config-text.ts";

test("every default is as documented", () => {
  expect(parseWithRoutes("")).toEqual({
    listen_host: "127.0.0.1",
    listen_port: 8000,
    base_session_path: "/v1/sessions",
    max_steps: -1,
    max_tokens: -1,
    max_cost_usd: null,
    max_ignored_stops: 2,
    reserve: null,
    storage_type: "sqlite",
    storage_config: {
      db_url: "sqlite://data/gateway.db",
      synchronous: "full",
      pool_size: 10,
      connect_timeout_s: 5,
      large_value_bytes: 32_768,
      min_free_bytes: 1_073_741_824,
      statement_timeout_s: 30,
    },
    retention: { older_than_days: null, keep: "rewards" },
    llm_routes: {
      small: {
        base_urls: ["http://127.0.0.1:9/v1"],
        api_key: null,
        auth_header: null,
        strip_billing_block: null,
        engine: null,
        tokenizer: null,
        continuity: "exact",
        thinking: "kept",
        modalities: [],
        side_calls: null,
        prices: [],
        endpoints: ["chat_completions", "responses", "completions", "embeddings"],
        supports_stream: true,
        stream_usage: true,
        keeps: null,
        serve_history: true,
        websockets: true,
        max_concurrency: 256,
        upstream_model: null,
        headers: {},
        extra_body: {},
        extra_body_stream: {},
        max_queue: 1024,
        queue_timeout_s: 60,
        retries: 0,
        record_request_headers: [],
        record_headers: [],
        strip_response_members: [],
      },
    },
    telemetry: {
      mode: "strict",
      loss_policy: "fail_closed",
      capture_payload: "full",
      payload_sample_rate: 1,
      redact_sensitive_fields: true,
      capture_embeddings: false,
      batch_size: 200,
      flush_interval_ms: 100,
      queue_max_rows: 4096,
      queue_max_bytes: 256 * 1024 * 1024,
      write_timeout_s: 10,
    },
    request_log: {
      enabled: true,
      path: "logs/gateway_requests.jsonl",
      max_bytes: 104857600,
      backup_count: 5,
      body_limit_bytes: 16384,
    },
    session_close_timeout_s: 90,
    session_close_retry_after_s: 10,
    session_idle_ttl_s: 1800,
    max_body_bytes: 64 * 1024 * 1024,
    min_body_rate_bytes: 1024,
    max_buffered_bytes: 1024 * 1024 * 1024,
    max_capture_bytes: 64 * 1024 * 1024,
    max_sessions: 200000,
    max_connections: 65_536,
    timeouts: {
      connect_s: 10,
      first_byte_s: 600,
      idle_s: 300,
      total_s: 3600,
      caller_headers_s: 30,
      caller_body_idle_s: 30,
      caller_body_total_s: 600,
      caller_stall_s: 120,
      caller_keep_alive_s: 75,
    },
    drain_timeout_s: 30,
    shutdown_delay_s: 0,
    auth: {
      api_keys: [],
      session_secret: null,
      previous_session_secret: null,
      open_metrics: false,
    },
    session_key_limits: {
      max_in_flight: 64,
      max_body_bytes: 32 * 1024 * 1024,
      max_buffered_bytes: 128 * 1024 * 1024,
      max_route_share: 0.5,
    },
    console: true,
    cors: { allowed_origins: [] },
    opentelemetry: {
      enabled: false,
      endpoint: null,
      headers: {},
      capture_content: false,
      queue_max_spans: 8192,
    },
    deprecations: { feed: null, warn_days: 30 },
  });
});

test("a partial section keeps the defaults of the rest", () => {
  const { timeouts, telemetry } = parseWithRoutes(
    "timeouts: {idle_s: 0.5}\ntelemetry: {batch_size: 1}",
  );
  expect(timeouts).toMatchObject({ idle_s: 0.5, connect_s: 10 });
  expect(telemetry).toMatchObject({ batch_size: 1, mode: "strict" });
});

describe("a route", () => {
  test("has its URLs without trailing slash and its header names in lower case", () => {
    const { llm_routes } = parseRoute(
      'base_urls: ["https://a/v1/", "https://b/v1"]\nheaders: {X-Team: "7"}\nrecord_headers: [X-Version, x-version]',
    );
    expect(llm_routes.small).toMatchObject({
      base_urls: ["https://a/v1", "https://b/v1"],
      headers: { "x-team": "7" },
      record_headers: ["x-version"],
    });
    expect(llm_routes.small).not.toHaveProperty("base_url");
  });

  test("may share settings with another route by an anchor and a merge", () => {
    const { llm_routes } = parseConfig(
      "llm_routes:\n  a: &shared {base_url: http://h/v1, retries: 2}\n  b: {<<: *shared, retries: 3}\n",
      "gateway.yaml",
      {},
    );
    expect(llm_routes.a).toMatchObject({ base_urls: ["http://h/v1"], retries: 2 });
    expect(llm_routes.b).toMatchObject({ base_urls: ["http://h/v1"], retries: 3 });
  });

  test("is found only under its own key, whatever the key", () => {
    const text =
      "llm_routes:\n  __proto__: {base_url: http://h/v1}\n  7: {base_url: http://i/v1}\n";
    const { llm_routes } = parseConfig(text, "gateway.yaml", {});
    expect(Object.keys(llm_routes).sort()).toEqual(["7", "__proto__"]);
    expect(new Map(Object.entries(llm_routes)).get("__proto__")?.base_urls).toEqual([
      "http://h/v1",
    ]);
    expect(llm_routes.constructor).toBeUndefined();
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect({}).not.toHaveProperty("base_urls");
  });
});

test("callers' keys are strings or have a name", () => {
  const { auth } = parseWithRoutes("auth: {api_keys: [k1, {name: trainer, key: k2}, {key: k3}]}");
  expect(auth.api_keys).toEqual([
    { name: null, key: "k1" },
    { name: "trainer", key: "k2" },
    { name: null, key: "k3" },
  ]);
});

test("two configurations share no mutable values", () => {
  const [a, b] = [parseWithRoutes(""), parseWithRoutes("")];
  expect(a.telemetry).not.toBe(b.telemetry);
  expect(a.llm_routes.small?.extra_body).not.toBe(b.llm_routes.small?.extra_body);
});

describe("files", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "gateway-protocol-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("are read from disk, with or without a byte order mark", () => {
    const path = join(folder, "gateway.yaml");
    writeFileSync(path, "\ufeffllm_routes: {small: {base_url: http://h/v1}}\nlisten_port: 0\n");
    expect(loadConfig(path, {}).listen_port).toBe(0);
  });

  test("are named in the error if they cannot be read", () => {
    const missing = join(folder, "missing.yaml");
    const error = configErrorOf(() => loadConfig(missing, {}));
    expect(error.message).toBe(`${missing}: 1 error\n  there is no such file`);
    expect(complaintsOf(() => loadConfig(folder, {}))).toEqual([": cannot be read (EISDIR)"]);
  });

  test("must be UTF-8", () => {
    const path = join(folder, "latin1.yaml");
    writeFileSync(path, Buffer.from("listen_host: caf\xe9", "latin1"));
    expect(complaintsOf(() => loadConfig(path, {}))).toEqual([": is not UTF-8 text"]);
  });
});
