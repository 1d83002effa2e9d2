import OpenAI from "openai";
import { onTestFinished } from "vitest";
import { type DemoUpstreamOptions, startDemoUpstream } from "../src/index.ts";

/** A server and a client of it, for one test. */
export async function start(
  options: DemoUpstreamOptions = {},
): Promise<{ readonly client: OpenAI; readonly url: string }> {
  const upstream = await startDemoUpstream(options);
  onTestFinished(() => upstream.close());
  const client = new OpenAI({ baseURL: upstream.url, apiKey: "any", maxRetries: 0 });
  return { client, url: upstream.url };
}
