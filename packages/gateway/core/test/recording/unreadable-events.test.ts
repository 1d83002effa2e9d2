import { chatCompletion, chatStream, messageObject, messageStream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { onlyStep } from "../telemetry/bound-calls.ts";
import { sharedGateway } from "./shared-gateway.ts";

// What a caller got and nobody can read is missing from the row, which says so.

const shared = sharedGateway({}, { endpoints: ["chat_completions", "messages"] });

const request = { model: "policy", stream: true, messages: [{ role: "user", content: "Hello" }] };

test.each([
  ["chat/completions", chatStream(chatCompletion()), request],
  ["messages", messageStream(messageObject()), { ...request, max_tokens: 9 }],
])(
  "an event that is not JSON is passed on, and the row says that it lacks it (%s)",
  async (path, events, body) => {
    const session_id = path.replace("/", "-");
    const spoiled = [...events.slice(0, 2), "data: {oops}\n\n", ...events.slice(2)].map(String);
    shared.upstream.answer(session_id, (_request, reply) => void reply.events(spoiled));
    const answer = await shared.gateway.post(`/v1/sessions/${session_id}/${path}`, body);
    expect(await answer.text()).toBe(spoiled.join(""));
    expect(await onlyStep(shared.gateway, session_id)).toMatchObject({
      status_code: 200,
      response: expect.stringContaining("Hello"),
      meta: { truncated: true, unreadable: "an event is not a JSON object: {oops}" },
    });
  },
);

test.each([
  [
    "plain text",
    "data: no GPU left\n\ndata: [DONE]\n\n",
    "the answer has no choices; an event is not a JSON object: no GPU left",
  ],
  ["an event called error", "event: error\ndata: no GPU left\n\n", "no GPU left"],
])("an error as %s is the row's error", async (what, text, error) => {
  const session_id = what.replaceAll(" ", "-");
  shared.upstream.answer(session_id, (_request, reply) => void reply.events([text]));
  const path = `/v1/sessions/${session_id}/chat/completions`;
  const answer = await shared.gateway.post(path, request);
  expect(await answer.text()).toContain(text.trimEnd());
  expect(await onlyStep(shared.gateway, session_id)).toMatchObject({
    status_code: 502,
    meta: { upstream_status_code: 200, error },
  });
});
