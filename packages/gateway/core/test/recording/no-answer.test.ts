import { chatCompletion, responseObject, responseStream, sendGzip } from "@proj/test-kit";
import { expect, test } from "vitest";
import {
  chatPath,
  chatRequest,
  onlyStep,
  responsesPath,
  responsesRequest,
} from "../telemetry/bound-calls.ts";
import { sharedGateway } from "./shared-gateway.ts";

// A reward is given to the latest success: status 200 without an answer is not a success.

const shared = sharedGateway();

const failed = responseObject({ status: "failed" });
const json = { headers: { "content-type": "application/json" } };

test.each<[string, string, string]>([
  ["an error object", '{"error":{"message":"no GPU","code":500}}', "the answer is an error"],
  ["an error text", '{"error":"no GPU"}', "the answer is an error"],
  ["nothing", "", "the answer is empty"],
  ["a page", "<html>Bad gateway</html>", "the answer is not JSON"],
  ["a list", "[]", "the answer is not an object"],
  ["a text", '"ok"', "the answer is not an object"],
  ["half an answer", JSON.stringify(chatCompletion()).slice(0, -1), "the answer is not JSON"],
])(
  "%s in place of a chat completion is passed on unchanged, and recorded as 502",
  async (what, text, why) => {
    const session_id = `chat-${what.replaceAll(" ", "-")}`;
    shared.upstream.answer(session_id, (_request, reply) => void reply.send(text, json));
    const answer = await shared.gateway.post(chatPath(session_id), chatRequest());
    expect([answer.status, await answer.text()]).toEqual([200, text]);
    expect(await onlyStep(shared.gateway, session_id)).toMatchObject({
      status_code: 502,
      meta: { status_code: 502, upstream_status_code: 200, outcome: "no_answer", error: why },
    });
    expect(await shared.latestSuccess(session_id)).toBeNull();
  },
);

test.each<[string, object, string]>([
  ["failed", failed, "the response is failed"],
  ["cancelled", { ...failed, status: "cancelled" }, "the response is cancelled"],
  [
    "incomplete",
    { ...failed, status: "incomplete", output: [] },
    "the response is incomplete and has no output",
  ],
])("a response that is %s without an answer is a 502", async (status, response, why) => {
  const session_id = `response-${status}`;
  shared.upstream.answer(session_id, (_request, reply) => void reply.json(response));
  expect((await shared.gateway.post(responsesPath(session_id), responsesRequest())).status).toBe(
    200,
  );
  expect(await onlyStep(shared.gateway, session_id)).toMatchObject({
    status_code: 502,
    meta: { outcome: "no_answer", error: why },
  });
  expect(await shared.latestSuccess(session_id)).toBeNull();
});

test("a stream that ends in response.failed is a 502 too", async () => {
  shared.upstream.answer(
    "streamed",
    (_request, reply) => void reply.events(responseStream(failed)),
  );
  const answer = await shared.gateway.post(
    responsesPath("streamed"),
    responsesRequest({ stream: true }),
  );
  expect(await answer.text()).toContain("event: response.failed");
  expect(await onlyStep(shared.gateway, "streamed")).toMatchObject({
    status_code: 502,
    response: JSON.stringify(failed),
    meta: { outcome: "no_answer", error: "the response is failed" },
  });
});

test.each(["queued", "in_progress"])(
  "a response that is %s is a 202 until it is complete",
  async (status) => {
    const response = { ...failed, status, error: null, output: [] };
    shared.upstream.answer(status, (_request, reply) => void reply.json(response));
    await shared.gateway.post(responsesPath(status), responsesRequest({ background: true }));
    expect(await onlyStep(shared.gateway, status)).toMatchObject({
      status_code: 202,
      meta: { status_code: 202, upstream_status_code: 200, outcome: "pending", error: null },
    });
    expect(await shared.latestSuccess(status)).toBeNull();
  },
);

test("an encoded answer that cannot be decoded is a 502", async () => {
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  shared.upstream.answer("garbled", (_request, reply) => void reply.send("not gzip", { headers }));
  await shared.gateway.post(chatPath("garbled"), chatRequest()).catch(() => {});
  expect(await onlyStep(shared.gateway, "garbled")).toMatchObject({
    status_code: 502,
    meta: { outcome: "no_answer" },
  });
  shared.upstream.answer("encoded", sendGzip(JSON.stringify(chatCompletion())));
  await (await shared.gateway.post(chatPath("encoded"), chatRequest())).text();
  expect((await onlyStep(shared.gateway, "encoded")).status_code).toBe(200);
});
