import { chatCompletion, startDemoUpstream, startFaultyUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { refusal, sessionClient } from "./session-client.ts";

test("clean refuses an open session, clears a closed one once, and then answers false", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const session = sessionClient(gateway, "s");
  const clean = () => gateway.post("/v1/sessions/s/clean", {});
  const answer = session.chat();
  const request = await upstream.nextRequest();

  expect(await refusal(await clean())).toBe("409 session_not_closed, retry false");
  await session.close();
  expect(await refusal(await clean())).toBe("409 session_not_closed, retry false");
  await request.reply.json(chatCompletion());
  expect((await answer).status).toBe(200);

  await session.closeAndWait();
  const once = await session.clean();
  expect([once.status, once.body]).toEqual([200, { session_id: "s", cleaned: true }]);
  const again = await session.clean();
  expect([again.status, again.body]).toEqual([200, { session_id: "s", cleaned: false }]);
  expect(await refusal(await fetch(gateway.sessionUrl("s")))).toBe(
    "404 session_not_found, retry false",
  );
  expect(gateway.steps("s")).toHaveLength(1);
});

test("cleaning an unknown session is not an error", async () => {
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: "http://127.0.0.1:9/v1" } },
  });
  const { status, body } = await sessionClient(gateway, "unknown").clean();
  expect([status, body]).toEqual([200, { session_id: "unknown", cleaned: false }]);
});

test("after a clean, counting continues from storage", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    max_steps: 3,
  });
  const session = sessionClient(gateway, "s");
  for (let step = 1; step <= 2; step += 1) await (await session.chat()).text();
  const before = await session.closeAndWait();
  await session.clean();
  const answer = await session.chat();
  expect(answer.headers.get("x-gateway-step-id")).toBe("3");
  await answer.text();
  const after = await session.status();
  expect(after).toMatchObject({ status: "active", close: null, closed_at: null });
  expect(after.models.demo).toEqual({
    steps: 3,
    successes: 3,
    latest_success_step: 3,
    stopped: false,
    prompt_tokens: ((before.models.demo?.prompt_tokens ?? 0) * 3) / 2,
    completion_tokens: ((before.models.demo?.completion_tokens ?? 0) * 3) / 2,
    cost_nano_usd: 0,
  });
  expect((await session.chat()).headers.get("x-gateway-stop")).toBe("max_steps");
  expect(gateway.steps("s").map((row) => row.step_id)).toEqual([1, 2, 3]);
});
