import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { endpointsByName, readRequestBody } from "@proj/model-apis";
import { type Listening, listen } from "@proj/test-kit";
import OpenAI from "openai";
import type { Answer } from "../../src/call/answer.ts";
import { startTimings } from "../../src/call/timings.ts";
import { createSyntheticStop } from "../../src/pipeline/synthetic-stop.ts";

export const stopText = "[gateway] step budget reached";

/** The stop for a request's bytes, as the gateway would make it. */
export function stopFor(bytes: Buffer, name: "chat_completions" | "responses"): Answer {
  const endpoint = endpointsByName[name];
  const { history, writeAnswer } = endpoint;
  if (writeAnswer === null) throw new Error(`${name} has no stop`);
  const body = readRequestBody(bytes, history);
  const { model } = body;
  const call = { request_id: "r1", endpoint, model, body, timings: startTimings() };
  return createSyntheticStop(call, writeAnswer, "max_steps");
}

export function bytesOf(answer: Answer): Buffer {
  const chunks: Uint8Array[] = [];
  answer.body.pipe({
    write: (chunk) => chunks.push(chunk) > 0,
    end: (tail) => void chunks.push(...tail),
    fail: (error) => {
      throw error;
    },
  });
  return Buffer.concat(chunks);
}

/** A server whose every answer is the stop. */
export async function startStopServer(): Promise<Listening & { readonly client: OpenAI }> {
  const server = createServer(async (request, response) => {
    const endpoint = request.url === "/responses" ? "responses" : "chat_completions";
    const answer = stopFor(await buffer(request), endpoint);
    response.writeHead(answer.status, answer.headers).end(bytesOf(answer));
  });
  const listening = await listen(server);
  const client = new OpenAI({ baseURL: listening.url, apiKey: "any", maxRetries: 0 });
  return { ...listening, client };
}
