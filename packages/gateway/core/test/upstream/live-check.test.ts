import { createServer, type RequestListener } from "node:http";
import { Readable } from "node:stream";
import { parseConfig } from "@proj/gateway-protocol";
import {
  chatCompletion,
  listen,
  messageObject,
  responseObject,
  startDemoUpstream,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { checkLive } from "../../src/index.ts";

/** The problem of a single route `policy`, given as YAML in braces. */
async function problemOf(route: string): Promise<string | null> {
  const { llm_routes } = parseConfig(`llm_routes: { policy: ${route} }`, "test", {});
  const [check] = await checkLive(llm_routes);
  if (check === undefined) throw new Error("The upstream was not asked.");
  return check.problem;
}

const json =
  (status: number, body: unknown): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };

test("an upstream that returns a token has no problem", async () => {
  const upstream = await startDemoUpstream({ apiKey: "right" });
  expect(await problemOf(`{ base_url: "${upstream.url}", api_key: right }`)).toBeNull();
  await upstream.close();
});

test("a wrong key is reported, but not shown", async () => {
  const upstream = await startDemoUpstream({ apiKey: "right" });
  const problem = await problemOf(`{ base_url: "${upstream.url}", api_key: wrong-key }`);
  expect(problem).toMatch(/^\/models answers 401.*The route's api_key is missing or wrong$/);
  expect(problem).not.toContain("wrong-key");
  await upstream.close();
});

test("a wrong model is reported with the one that was meant", async () => {
  const upstream = await startDemoUpstream({ models: ["small-1", "large-1"] });
  const problem = await problemOf(`{ base_url: "${upstream.url}", upstream_model: small1 }`);
  expect(problem).toBe(
    "the upstream has no model 'small1' (upstream_model, or the route's key); did you mean small-1?",
  );
  await upstream.close();
});

test("a base_url without its version path is reported", async () => {
  await using server = await listen(createServer(json(404, { error: { message: "Not found" } })));
  expect(await problemOf(`{ base_url: "${server.url}" }`)).toMatch(
    /^\/chat\/completions answers 404: Not found\. .*base_url should end in the version path, such as \/v1$/,
  );
});

test("a missing upstream is reported", async () => {
  const server = await listen(createServer());
  await server.close();
  expect(await problemOf(`{ base_url: "${server.url}/v1" }`)).toBe(
    "cannot be reached: nothing listens there",
  );
});

test("the base_url's query and the route's headers and body are sent; newer models work too", async () => {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    asked.push(`${request.method} ${request.url} ${request.headers["api-key"]} ${text}`);
    if (request.method === "GET") return json(404, null)(request, response);
    const isOld = text.includes("max_tokens");
    const message = "max_tokens is not supported, use max_completion_tokens";
    json(isOld ? 400 : 200, isOld ? { error: { message } } : chatCompletion())(request, response);
  });
  await using listening = await listen(server);
  const base_url = `${listening.url}/deployments/d?api-version=2024-10-21`;
  const route = `{ base_url: "${base_url}", headers: { api-key: k }, extra_body: { user: u } }`;
  expect(await problemOf(route)).toBeNull();
  expect(asked[0]).toBe("GET /deployments/d/models?api-version=2024-10-21 k ");
  expect(asked[2]).toMatch(
    /^POST \/deployments\/d\/chat\/completions\?api-version=2024-10-21 k .*"user":"u"/,
  );
});

const embedding = { object: "list", data: [{ index: 0, embedding: [0.5] }], model: "policy" };
const text = { object: "text_completion", choices: [{ index: 0, text: "Hi" }] };

test.each([
  ["chat_completions", "/chat/completions", chatCompletion(), "authorization"],
  ["responses", "/responses", responseObject(), "authorization"],
  ["messages", "/messages", messageObject(), "x-api-key"],
  ["completions", "/completions", text, "authorization"],
  ["embeddings", "/embeddings", embedding, "authorization"],
])(
  "a route that serves only %s is asked in that API, with its key",
  async (api, path, answer, header) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const key = request.headers[header];
      asked.push(String(request.url));
      if (key !== "k-12345678" && key !== "Bearer k-12345678")
        return json(401, { error: { message: "no key" } })(request, response);
      const isAsked = request.url === path && request.method === "POST";
      json(isAsked ? 200 : 404, isAsked ? answer : null)(request, response);
    });
    await using listening = await listen(server);
    const route = `{ base_url: "${listening.url}", api_key: k-12345678, endpoints: [${api}] }`;
    expect(await problemOf(route)).toBeNull();
    expect(asked).toEqual(["/models", path]);
  },
);

test("a 200 without an answer is a problem", async () => {
  await using server = await listen(createServer((_, response) => void response.end("<html>")));
  expect(await problemOf(`{ base_url: "${server.url}" }`)).toBe(
    "/chat/completions answers 200, but the answer is not JSON",
  );
});

test("an answer without an end is not kept in memory", async () => {
  const megabyte = Buffer.alloc(1024 * 1024, " ");
  await using server = await listen(
    createServer((_request, response) => {
      const endless = Readable.from(Array.from({ length: 100 }, () => megabyte));
      endless.pipe(response, { end: false });
    }),
  );
  expect(await problemOf(`{ base_url: "${server.url}/v1" }`)).toMatch(
    /answers with more than 67108864 bytes/,
  );
});
