import { chatCompletion, chatStream, cutStreamAt } from "@proj/test-kit";
import { expect, test } from "vitest";
import { chatPath, chatRequest, onlyStep } from "../telemetry/bound-calls.ts";
import { rawCall } from "../telemetry/raw-caller.ts";
import { sharedGateway } from "./shared-gateway.ts";

// One short time-out each: on a busy machine the wrong one might fire first.
const firstByte = sharedGateway({ timeouts: { first_byte_s: 0.2 } });
const idle = sharedGateway({ timeouts: { idle_s: 0.2 } });

test("an upstream that never answers is a 504 without an upstream status", async () => {
  const answer = await firstByte.gateway.post(chatPath("silent"), chatRequest());
  expect(answer.status).toBe(504);
  expect(await answer.json()).toMatchObject({ error: { code: "upstream_timeout" } });
  const step = await onlyStep(firstByte.gateway, "silent");
  expect(step).toMatchObject({
    status_code: 504,
    meta: { upstream_status_code: null, outcome: "timeout", response_bytes: 0 },
  });
  expect(step.meta.error).toMatch(/timeouts\.first_byte_s/);
});

test("an upstream that falls silent within its answer is a 504 that keeps its status", async () => {
  idle.upstream.answer("stalled", async (_request, reply) => {
    await reply.start({ headers: { "content-type": "application/json" } });
    await reply.write("{");
  });
  const answer = await idle.gateway.post(chatPath("stalled"), chatRequest());
  expect(answer.status).toBe(504);
  const step = await onlyStep(idle.gateway, "stalled");
  expect(step).toMatchObject({
    status_code: 504,
    meta: { upstream_status_code: 200, outcome: "timeout", response_bytes: 1 },
  });
  expect(step.meta.error).toMatch(/timeouts\.idle_s/);
});

test("a stream that falls silent ends in an error event, and is a 504 with what had arrived", async () => {
  const [role, text = Buffer.alloc(0)] = chatStream(chatCompletion({ content: "Hello" }));
  const bytes = Buffer.concat([role ?? text, text]);
  idle.upstream.answer("dried-up", cutStreamAt([bytes], bytes.length, { by: "silence" }));
  await using caller = await rawCall(
    idle.gateway,
    chatPath("dried-up"),
    chatRequest({ stream: true }),
  );
  const { body, whole } = await caller.untilClosed();
  expect(body).toContain('"code":"upstream_timeout"');
  expect(body).not.toContain("[DONE]");
  expect(whole).toBe(true);
  const step = await onlyStep(idle.gateway, "dried-up");
  expect(step).toMatchObject({
    status_code: 504,
    meta: { upstream_status_code: 200, outcome: "timeout", response_bytes: bytes.length },
  });
  expect(JSON.parse(step.response ?? "")).toMatchObject({
    choices: [{ message: { content: "Hello" }, finish_reason: null }],
  });
});
