import { readFile } from "node:fs/promises";
import { chatCompletion, chatStream, startFaultyUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { chatPath, chatRequest, onlyStep } from "../telemetry/bound-calls.ts";

const api_key = 'sk-of-the-operator"7/';
const header = "other-credential-of-the-operator";

test.each([true, false])(
  "a route's credentials repeated by its upstream reach no row, log or header (redacts: %s)",
  async (redact_sensitive_fields) => {
    const message = `Incorrect API key provided: ${api_key}, ${header}`;
    await using upstream = await startFaultyUpstream(async (request, reply) => {
      const echo = { "x-echo": `you sent ${api_key}`, "x-request-id": api_key, "x-kept": "yes" };
      const { stream } = request.json() as { stream?: boolean };
      if (!stream) await reply.json({ error: { message } }, { status: 401, headers: echo });
      else await reply.events(chatStream(chatCompletion({ content: message })), { headers: echo });
    });
    const route = { base_url: upstream.url, api_key, headers: { "x-access-token": header } };
    await using gateway = await startGateway({
      llm_routes: { policy: { ...route, record_headers: ["x-echo"] } },
      telemetry: { redact_sensitive_fields },
    });
    for (const stream of [false, true]) {
      const session_id = `echo-${stream}`;
      const answer = await gateway.post(chatPath(session_id), chatRequest({ stream }));
      // The body belongs to the upstream, and is relayed unchanged.
      const body = await answer.text();
      if (!stream) expect(body).toContain(header);
      expect(JSON.stringify([...answer.headers])).not.toContain("sk-of-the-operator");
      expect(answer.headers.get("x-kept")).toBe("yes");
      const step = await onlyStep(gateway, session_id);
      expect(step.response).toContain("***");
      expect(JSON.stringify(step)).not.toMatch(/sk-of-the-operator|other-credential/);
      expect(step.meta.headers).toEqual({ "x-echo": "you sent ***" });
    }
    await gateway.gateway.close();
    const log = await readFile(gateway.requestLogPath, "utf8");
    expect(log).toContain("***");
    expect(log).not.toMatch(/sk-of-the-operator|other-credential/);
  },
);

test("a key that is not a secret, as for self-hosted servers, masks nothing", async () => {
  await using upstream = await startFaultyUpstream((_request, reply) => {
    void reply.json(chatCompletion({ content: "none of it" }));
  });
  await using gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url, api_key: "none" } },
  });
  await (await gateway.post(chatPath("s"), chatRequest())).text();
  expect((await onlyStep(gateway, "s")).response).toContain("none of it");
});
