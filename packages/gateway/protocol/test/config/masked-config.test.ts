import { expect, test } from "vitest";
import { maskedConfig, parseConfig } from "../../src/index.ts";

const config = parseConfig(
  `storage_type: cloud
storage_config: {db_url: "postgres://user:s3cret@host/db?sslpassword=s3cret"}
auth: {api_keys: [s3cret, {name: trainer, key: s3cret-2}], session_secret: s3cret-of-all-sessions}
deprecations: {feed: "https://user:s3cret@host/feed?token=s3cret"}
llm_routes:
  a:
    base_url: https://host/v1
    api_key: s3cret
    headers: {x-api-key: s3cret, x-opaque: s3cret}
    extra_body: {user: u, max_tokens: 5, nested: [{api_key: s3cret, note: n}]}
    extra_body_stream: {access-token: s3cret}
  b: {base_url: https://host/v1}
`,
  "gateway.yaml",
  {},
);

test("the printed configuration has no secret", () => {
  expect(JSON.stringify(config)).toContain("s3cret");
  expect(JSON.stringify(maskedConfig(config))).not.toContain("s3cret");
});

test("the printed configuration has everything else", () => {
  const masked = maskedConfig(config);
  expect(masked).toEqual({
    ...config,
    storage_config: {
      ...config.storage_config,
      db_url: "postgres://user:***@host/db?sslpassword=***",
    },
    auth: {
      api_keys: [
        { name: null, key: "***" },
        { name: "trainer", key: "***" },
      ],
      session_secret: "***",
      previous_session_secret: null,
      open_metrics: false,
    },
    deprecations: { feed: "https://user:***@host/feed?token=***", warn_days: 30 },
    llm_routes: {
      a: {
        ...config.llm_routes.a,
        api_key: "***",
        headers: { "x-api-key": "***", "x-opaque": "***" },
        extra_body: { user: "u", max_tokens: 5, nested: [{ api_key: "***", note: "n" }] },
        extra_body_stream: { "access-token": "***" },
      },
      b: config.llm_routes.b,
    },
  });
});

test("printing does not change the configuration", () => {
  const before = structuredClone(config);
  maskedConfig(config);
  expect(structuredClone(config)).toEqual(before);
});

test("a deeply nested body can be printed", () => {
  let body: Record<string, unknown> = { secret: "s3cret" };
  for (let depth = 0; depth < 1000; depth++) body = { body };
  const route = config.llm_routes.b;
  if (route === undefined) throw new Error("the route is missing");
  const deep = { ...config, llm_routes: { deep: { ...route, extra_body: body } } };
  expect(JSON.stringify(maskedConfig(deep).llm_routes)).not.toContain("s3cret");
});
