import { chatCompletion, chatStream, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { chatRequest } from "../telemetry/bound-calls.ts";
import { rawCall } from "../telemetry/raw-caller.ts";
import { atRest } from "./at-rest.ts";
import { expectNoWarnings } from "./no-warnings.ts";

expectNoWarnings();

const count = 1_000;
const sessions = Array.from({ length: 20 }, (_, index) => `many-${index}`);

test("a thousand concurrent streams all arrive whole, each with its row", async () => {
  const events = chatStream(chatCompletion({ content: "One of a thousand." }));
  const text = Buffer.concat(events).toString();
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url, max_concurrency: count } },
  });
  const callers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      rawCall(
        gateway,
        `/v1/sessions/${sessions[index % sessions.length]}/chat/completions`,
        chatRequest({ stream: true }),
      ),
    ),
  );
  // All have begun before the first one ends.
  await waitFor(() => upstream.requests.length === count, "all requests at the upstream");
  const [first = "", ...rest] = events;
  await Promise.all(
    upstream.requests.map(async ({ reply }) => {
      await reply.startEvents();
      await reply.write(first);
    }),
  );
  await Promise.all(callers.map((caller) => caller.connection.readUntil("chatcmpl-test")));
  await Promise.all(
    upstream.requests.map(async ({ reply }) => {
      for (const event of rest) await reply.write(event);
      await reply.end();
    }),
  );
  const received = await Promise.all(callers.map((caller) => caller.untilClosed()));
  expect(
    received.filter(({ status, body, whole }) => status === 200 && whole && body === text),
  ).toHaveLength(count);

  await atRest(gateway, ...sessions);
  const rows = sessions.flatMap((session_id) => gateway.steps(session_id));
  expect(rows.filter(({ status_code }) => status_code === 200)).toHaveLength(count);
  for (const session_id of sessions)
    expect(
      gateway
        .steps(session_id)
        .map(({ step_id }) => step_id)
        .sort((one, other) => one - other),
    ).toEqual(Array.from({ length: count / sessions.length }, (_, index) => index + 1));
});
