import { startFaultyUpstream, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";

const usage = {
  input_tokens: 23,
  output_tokens: 10,
  service_tier: "priority",
  iterations: [
    { type: "compaction", input_tokens: 160_000, output_tokens: 1_000 },
    { type: "message", input_tokens: 23, output_tokens: 10 },
  ],
};
const whole = { type: "message", content: [{}], stop_reason: "end_turn", usage };
const events = [
  { type: "message_start", message: { usage: { input_tokens: 23, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "hi" } },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
  { type: "message_stop" },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

test.each([false, true])(
  "a compaction spends a session's money (streamed: %s), and is remembered",
  async (stream) => {
    await using upstream = await startFaultyUpstream();
    await using folder = await temporaryFolder();
    const prices = [{ input: 3, output: 15 }];
    const config = {
      max_cost_usd: 0.3,
      llm_routes: { demo: { base_url: upstream.url, endpoints: ["messages"], prices } },
    };
    const body = { model: "demo", messages: [], max_tokens: 9, stream };
    {
      await using gateway = await startGateway(config, { folder: folder.path });
      const ask = () => gateway.post("/v1/sessions/s/messages", body);
      const first = ask();
      const { reply } = await upstream.nextRequest();
      await (stream ? reply.events(events) : reply.json(whole));
      expect((await first).headers.get("x-gateway-stop")).toBeNull();
      await (await first).text();
      expect(gateway.steps("s")[0]?.meta).toMatchObject({
        prompt_tokens: 160_023,
        completion_tokens: 1_010,
        cost_nano_usd: 495_219_000,
        billed: {
          tiers: ["priority"],
          iterations: [{ type: "compaction", prompt_tokens: 160_000 }],
        },
      });
      expect((await ask()).headers.get("x-gateway-stop")).toBe("max_cost_usd");
      // Named once, however often it comes.
      const other = gateway.post("/v1/sessions/t/messages", body);
      const again = await upstream.nextRequest();
      await (stream ? again.reply.events(events) : again.reply.json(whole));
      await (await other).text();
      const named = gateway.logged.filter(({ message }) =>
        message.includes("service_tiers.priority"),
      );
      expect(named.map(({ level }) => level)).toEqual(["warn"]);
    }
    await using later = await startGateway(config, { folder: folder.path });
    const stop = await later.post("/v1/sessions/s/messages", body);
    expect(stop.headers.get("x-gateway-stop")).toBe("max_cost_usd");
  },
);
