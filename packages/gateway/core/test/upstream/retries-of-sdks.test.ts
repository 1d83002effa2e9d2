import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { createCall, listenHttp, readText, upstreamsTo } from "./upstream-fixture.ts";

// A route with `retries` sends again what the official SDKs would send again.

const statuses = [400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 500, 501, 502, 503, 504, 529];
const headers = [{}, { "x-should-retry": "true" }, { "x-should-retry": "false" }];
const cases = statuses.flatMap((status) => headers.map((header) => ({ status, header })));

/** Fails once, then answers; says how many requests it got. */
async function failingOnce(
  status: number,
  header: Readonly<Record<string, string>>,
): Promise<{ origin: string; requests: () => number }> {
  let requests = 0;
  const origin = await listenHttp((request, response) => {
    request.resume();
    requests += 1;
    const failing = { "retry-after-ms": "1", ...header };
    if (requests === 1) response.writeHead(status, failing).end();
    else response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  return { origin, requests: () => requests };
}

const messages = [{ role: "user" as const, content: "Hello" }];

describe.each(cases)("an answer of $status with $header", ({ status, header }) => {
  it("is retried by the gateway exactly if the SDKs retry it", async () => {
    const own = await failingOnce(status, header);
    const upstreams = upstreamsTo(own.origin, { route: { retries: 1 } });
    await readText(await upstreams.forward(createCall()));

    const openai = await failingOnce(status, header);
    const options = { apiKey: "none", maxRetries: 1 };
    await new OpenAI({ ...options, baseURL: openai.origin }).chat.completions
      .create({ model: "m", messages })
      .catch(() => {});
    const anthropic = await failingOnce(status, header);
    await new Anthropic({ ...options, baseURL: anthropic.origin }).messages
      .create({ model: "m", messages, max_tokens: 1 })
      .catch(() => {});
    expect([own.requests(), own.requests()]).toEqual([openai.requests(), anthropic.requests()]);
  });
});
