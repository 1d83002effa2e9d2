/**
 * A child process of the bench: an engine of vLLM's shapes that reads nothing of a request but its prompt's ids, which
 * it repeats as they came, so that the first chunk's delay is the gateway's own.
 */
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { listenForBench } from "../machine/listen.ts";

const idsBegin = Buffer.from('"prompt_token_ids":[');
const answer = ["It", " is", " done", "."];
const endOfTurn = 151_645;
const BETWEEN_TOKENS_MS = 5;

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const begin = body.lastIndexOf(idsBegin);
  const ids = begin < 0 ? null : body.subarray(begin, body.indexOf("]", begin) + 1);
  response.writeHead(200, { "content-type": "text/event-stream" });
  const head = '{"id":"1","object":"chat.completion.chunk","created":1,"model":"m",';
  const choice = (delta: object, id: number, finish_reason: string | null): string => {
    const logprobs = { content: [{ token: "", logprob: -0.5, top_logprobs: [] }] };
    return JSON.stringify([{ index: 0, delta, logprobs, finish_reason, token_ids: [id] }]);
  };
  const first = `"choices":${choice({ role: "assistant", content: "" }, 9, null)}`;
  response.write(`data: ${head}${first}${ids === null ? "" : `,${ids}`}}\n\n`);
  for (const [at, content] of answer.entries()) {
    // The first text comes alone, as an engine's does: what is behind it must not delay it.
    if (at === 1) await setTimeout(BETWEEN_TOKENS_MS);
    response.write(`data: ${head}"choices":${choice({ content }, 10 + at, null)}}\n\n`);
  }
  response.write(`data: ${head}"choices":${choice({}, endOfTurn, "stop")}}\n\n`);
  response.end(
    `data: ${head}"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":6,"total_tokens":7}}\n\ndata: [DONE]\n\n`,
  );
});
listenForBench(server);
