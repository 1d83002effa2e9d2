import { type FaultyUpstream, startFaultyUpstream } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { onlyStep } from "../telemetry/bound-calls.ts";
import { endpointCases, requestOf } from "./endpoint-cases.ts";
import { routesTo, rowCount, steady } from "./endpoint-routes.ts";

// Every endpoint that streams does the same, in its own form.

let upstream: FaultyUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
  gateway = await startGateway({ llm_routes: routesTo(upstream.url) });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const streamedCases = endpointCases.flatMap((each) =>
  each.stream === null ? [] : [{ ...each, stream: each.stream }],
);

describe.each(streamedCases)("$name, streamed", (each) => {
  const { name, stream, finish_reason, completion_tokens } = each;
  const { path, body } = requestOf(each, { stream: true });

  test("relayed byte for byte, and its row holds the object it adds up to", async () => {
    upstream.script((_request, reply) => void reply.events(stream));
    const session_id = `${name}-stream`;
    const answer = await gateway.post(`/v1/sessions/${session_id}${path}`, body);
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    expect(await answer.text()).toBe(Buffer.concat(stream).toString());
    const step = await onlyStep(gateway, session_id);
    expect(JSON.parse(step.response ?? "")).toMatchObject(without(each.answer));
    expect(step.meta).toMatchObject({
      endpoint: name,
      outcome: "completed",
      is_stream: true,
      finish_reason,
      prompt_tokens: 11,
      completion_tokens,
    });
  });

  test("unbound: relayed byte for byte, without a row", async () => {
    upstream.script((_request, reply) => void reply.events(stream));
    const before = rowCount(gateway);
    const answer = await gateway.post(`/v1${path}`, body);
    expect(await answer.text()).toBe(Buffer.concat(stream).toString());
    expect(rowCount(gateway)).toBe(before);
  });

  test("one that breaks off ends in its own error event, and its body ends", async () => {
    upstream.script(async (_request, reply) => {
      await reply.startEvents();
      await reply.write(stream[0] ?? "");
      reply.close();
    });
    const session_id = `${name}-broken`;
    const answer = await gateway.post(`/v1/sessions/${session_id}${path}`, body);
    const text = await answer.text();
    expect(text.startsWith(stream[0]?.toString() ?? "")).toBe(true);
    const event = text.slice(stream[0]?.length);
    expect(steady(event).replaceAll(String(upstream.port), "<port>")).toMatchSnapshot();
    const step = await onlyStep(gateway, session_id);
    expect(step).toMatchObject({ status_code: 502, meta: { outcome: "upstream_broken" } });
  });
});

/** Removes the members that a stream does not carry. */
function without(answer: object): object {
  return JSON.parse(JSON.stringify(answer, (_key, value) => (value === null ? undefined : value)));
}
