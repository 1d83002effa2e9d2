import { startDemoUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "./start-gateway.ts";

test("a bound request is answered by the upstream and leaves a row", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const body = { model: "demo", messages: [{ role: "user", content: "Hello" }] };
  const answer = await gateway.post("/v1/sessions/first/chat/completions", body);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("x-gateway-session-id")).toBe("first");
  expect(answer.headers.get("x-gateway-step-id")).toBe("1");
  const text = await answer.text();
  const [row, ...others] = gateway.steps("first");
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    session_id: "first",
    model: "demo",
    step_id: 1,
    status_code: 200,
    is_trainable: 0,
    messages: JSON.stringify(body.messages),
    response: text,
  });
  expect(row?.meta).toMatchObject({
    status_code: 200,
    outcome: "completed",
    finish_reason: "stop",
  });
});
