import { startFaultyUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { chatRequest } from "../telemetry/bound-calls.ts";

const binary = { headers: { "content-type": "application/octet-stream" } };
/** Around the sizes up to which a body leaves in one write with its head. */
const sizes = [0, 1, 255, 2_047, 2_048, 2_049, 16_384, 70_000, 300_000];

/** Every byte value, in an order that no text has. */
const bytesOf = (size: number): Buffer =>
  Buffer.from(Uint8Array.from({ length: size }, (_, index) => (index * 167 + (index >> 8)) & 0xff));

test.each(["/v1/chat/completions", "/v1/sessions/s/chat/completions"])(
  "%s relays plain answers of any bytes and size unchanged",
  async (path) => {
    await using upstream = await startFaultyUpstream();
    await using gateway = await startGateway({
      llm_routes: { policy: { base_url: upstream.url } },
    });
    for (const size of sizes) {
      const bytes = bytesOf(size);
      upstream.script((_request, reply) => void reply.send(bytes, binary));
      const answer = await gateway.post(path, chatRequest());
      expect(answer.headers.get("content-length")).toBe(String(size));
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    }
  },
);
