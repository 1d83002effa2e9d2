import { type RecordedRequest, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";

/** SGLang's answer when weights changed during it, with ids beside them. */
const answer = `{ "metadata":{"weight_versions":[{"version":"v1","start":0,"end":1}]}, "id":"c1","object":"chat.completion","created":1,"model":"m","choices":[ {"index":0,"meta_info":{"id":1.50},"message":{"role":"assistant","content":"metadata \\"meta_info\\""},"finish_reason":"stop"} ],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2},"sglext":{"output_ids":[7]} }`;
const stripped = ` "id":"c1","object":"chat.completion","created":1,"model":"m","choices":[ {"index":0,"message":{"role":"assistant","content":"metadata \\"meta_info\\""},"finish_reason":"stop"} ],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2} }`;
const messages = [{ role: "user", content: "hello" }];

async function start(telemetry: string) {
  const upstream = await startFaultyUpstream();
  const route = {
    base_url: upstream.url,
    strip_response_members: ["metadata", "meta_info", "sglext"],
  };
  const gateway = await startGateway({
    llm_routes: { policy: route, plain: { base_url: upstream.url } },
    telemetry: { mode: telemetry },
  });
  onTestFinished(async () => {
    await gateway.close();
    await upstream.close();
  });
  return { gateway, upstream };
}

const ask = (gateway: TestGateway, path: string, more: object = {}) =>
  gateway.post(`${path}/chat/completions`, { model: "policy", messages, ...more });

async function reply({ reply: to }: RecordedRequest, body: string, type: string): Promise<void> {
  const length = type === "application/json" ? `content-length: ${body.length}\r\n` : "";
  await to.raw(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${length}connection: close\r\n\r\n`);
  // In pieces that end within lines and members.
  for (let at = 0; at < body.length; at += 37) await to.raw(body.slice(at, at + 37));
  to.close();
}

test.each(["strict", "best_effort"])(
  "%s: the caller does not get the members that the route strips, but the row has them",
  async (telemetry) => {
    const { gateway, upstream } = await start(telemetry);
    for (const path of ["/v1/sessions/s", "/v1"]) {
      const asked = ask(gateway, path);
      await reply(await upstream.nextRequest(), answer, "application/json");
      expect((await (await asked).text()).replace(/^\{\s*/, " ")).toBe(stripped);
    }
    const whole = ask(gateway, "/v1/sessions/s", { model: "plain" });
    await reply(await upstream.nextRequest(), answer, "application/json");
    expect(await (await whole).text()).toBe(answer);
    await waitFor(() => gateway.steps("s").length === 2, "both rows");
    const rows = gateway.steps("s").map(({ response }) => JSON.parse(response ?? ""));
    expect(rows).toEqual([JSON.parse(answer), JSON.parse(answer)]);
  },
);

test("likewise for a stream, whose other bytes are unchanged", async () => {
  const { gateway, upstream } = await start("strict");
  const chunk = (delta: object, more: string): string =>
    `data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":${JSON.stringify(delta)}${more}}]`;
  const events = [
    `: hello\n\n`,
    `${chunk({ role: "assistant", content: "metadata" }, "")},"metadata":{"weight_version":"v1"}}\n\n`,
    `${chunk({}, ',"meta_info":{"id":2},"finish_reason":"stop"')}}\n\n`,
    `data: {"id":"c1","choices":[],"sglext":{"output_ids":[7]}}\n\n`,
    `data: [DONE]\n\n`,
  ];
  const asked = ask(gateway, "/v1/sessions/s", { stream: true });
  await reply(await upstream.nextRequest(), events.join(""), "text/event-stream");
  expect(await (await asked).text()).toBe(
    [
      `: hello\n\n`,
      `${chunk({ role: "assistant", content: "metadata" }, "")}}\n\n`,
      `${chunk({}, ',"finish_reason":"stop"')}}\n\n`,
      `data: {"id":"c1","choices":[]}\n\n`,
      `data: [DONE]\n\n`,
    ].join(""),
  );
  const [step] = gateway.steps("s");
  expect(JSON.parse(step?.response ?? "")).toMatchObject({
    metadata: { weight_version: "v1" },
    sglext: { output_ids: [7] },
    choices: [{ meta_info: { id: 2 } }],
  });
});
