import { engineApis } from "@proj/model-apis/names";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/index.ts";
import { complaintsOf, parseRoute } from "./config-text.ts";

const url = "base_url: https://h/v1\n";

const refused = (lines: string, complaint: RegExp): void => {
  expect(complaintsOf(() => parseRoute(lines))).toEqual([expect.stringMatching(complaint)]);
};

describe("addresses", () => {
  test("exactly one of base_url and base_urls is required", () => {
    refused("retries: 1", /^llm_routes\.small: needs base_url, or base_urls/);
    refused(`${url}base_urls: ['https://i/v1']`, /^llm_routes\.small: has both base_url and/);
    refused("base_urls: []", /^llm_routes\.small\.base_urls: must not be empty/);
  });

  test("replicas must differ", () => {
    refused("base_urls: ['https://h/v1', 'https://h/v1/']", /base_urls\[1\]: is the same URL/);
  });

  test.each([
    ["ftp://h/v1", /expected a URL such as/],
    ["h/v1", /expected a URL such as/],
    ["https:h/v1", /expected a URL such as/],
    ["https://", /expected a URL such as/],
    ["'https://h/v 1'", /expected a URL such as/],
    ["https://h:99999/v1", /expected a URL such as/],
    ["https://u:p@h/v1", /must have no user or password; put the credential in api_key/],
    ["https://token@h/v1", /must have no user or password/],
    ["https://h/v1?key=x", /must have no credential in its query \(key\); put it in api_key/],
    ["https://h/v1?", /must not end in \?/],
    ["'https://h/v1#x'", /must have no fragment/],
    ["https://h/v1/chat/completions", /must end before \/chat\/completions/],
    ["https://h/v1/responses/", /must end before \/responses/],
  ])("%s is not an address", (value, complaint) => refused(`base_url: ${value}`, complaint));

  test.each([
    ["http://127.0.0.1:8080"],
    ["HTTPS://h"],
    ["http://[::1]:80/a/v1"],
    ["https://h/a%20b"],
  ])("%s is an address", (value) =>
    expect(parseRoute(`base_url: "${value}"`).llm_routes.small?.base_urls).toEqual([value]),
  );
});

test("an engine's route does not drop an API that it lists", () => {
  const engine = `${url}engine: vllm\n`;
  refused(
    `${engine}endpoints: [chat_completions, completions]`,
    /endpoints\[1\]: is not translated for an engine/,
  );
  const served = (lines: string) => parseRoute(lines).llm_routes.small?.endpoints;
  expect(served(`${engine}endpoints: [messages]`)).toEqual(["messages"]);
  expect(served(engine)).toEqual(engineApis);
});

describe("headers", () => {
  test.each([
    ["Connection"],
    ["keep-alive"],
    ["TE"],
    ["Transfer-Encoding"],
    ["Proxy-Authorization"],
  ])("%s is refused because it belongs to a single connection", (name) =>
    refused(`${url}headers: {${name}: x}`, /belongs to a single connection/),
  );

  test.each([["Host"], ["content-length"], ["accept-encoding"], ["X-Session-Id"]])(
    "%s is set by the gateway",
    (name) => refused(`${url}headers: {${name}: x}`, /is set by the gateway itself/),
  );

  test.each([["'a b'"], ["'a:b'"], ["''"], ["é"]])("%s is not a name", (name) => {
    refused(`${url}headers: {${name}: x}`, /is not a header name/);
    refused(`${url}record_headers: [${name}]`, /is not a header name/);
  });

  test.each([['"a\\r\\nb: c"'], ['"a\\nb"'], ['"\\0"'], ["'…'"]])("%s is not a value", (value) => {
    refused(`${url}headers: {x-a: ${value}}`, /^llm_routes\.small\.headers\.x-a: has a line break/);
  });

  test("a name may be given once, whatever its case", () => {
    refused(`${url}headers: {X-A: x, x-a: y}`, /headers\.x-a: is given twice/);
  });

  test("the credential may be given once", () => {
    refused(
      `${url}api_key: k\nheaders: {Authorization: x}`,
      /headers\.Authorization: is also the header/,
    );
    const route = parseRoute(`${url}headers: {Authorization: Basic x}`).llm_routes.small;
    expect(route?.headers).toEqual({ authorization: "Basic x" });
  });
});

describe("extra_body", () => {
  test.each([["extra_body"], ["extra_body_stream"]])(
    "%s may give each name in one spelling",
    (key) => {
      const lines = `base_url: https://host/v1\n${key}: {max_tokens: 1, Max_Tokens: 2}`;
      expect(complaintsOf(() => parseRoute(lines))).toEqual([
        `llm_routes.small.${key}.Max_Tokens: is given twice; case makes no difference in a member's name`,
      ]);
    },
  );

  test.each([["extra_body"], ["extra_body_stream"]])("%s may not set model or stream", (key) => {
    refused(`${url}${key}: {model: x}`, /\.model: may not be set here; use upstream_model/);
    refused(`${url}${key}: {stream: true}`, /\.stream: may not be set here/);
    refused(`${url}${key}: {Stream: true}`, /\.Stream: may not be set here/);
    refused(`${url}${key}: {n: .nan}`, /\.n: is NaN/);
  });

  test("keeps any other member as written", () => {
    const lines = `${url}extra_body: {logprobs: true, nested: {model: x, list: [1, null, "a"]}}`;
    expect(parseRoute(lines).llm_routes.small?.extra_body).toEqual({
      logprobs: true,
      nested: { model: "x", list: [1, null, "a"] },
    });
  });
});

test.each([
  ["api_key: ''", /api_key: must not be empty/],
  ["api_key: 'a b'", /api_key: has a space/],
  ['api_key: "key\\n"', /api_key: has a space, a line break/],
  ["upstream_model: ''", /upstream_model: must not be empty/],
  ["max_concurrency: 0", /max_concurrency: expected at least 1/],
  ["max_queue: 1.5", /max_queue: expected a whole number/],
  ["retries: -1", /retries: expected at least 0/],
])("%s", (line, complaint) => refused(url + line, complaint));

test("a route's key is 1 to 256 characters long", () => {
  const keyed = (key: string) => (): unknown =>
    parseConfig(`llm_routes: {"${key}": {base_url: https://h/v1}}`, "gateway.yaml", {});
  expect(keyed("x".repeat(256))).not.toThrow();
  expect(complaintsOf(keyed(""))).toEqual(['llm_routes[""]: must not be empty']);
  expect(complaintsOf(keyed("x".repeat(257)))).toEqual([
    expect.stringMatching(/may have at most 256 characters$/),
  ]);
});
