import { createServer } from "node:http";
import { listen, rawRequest, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { BufferedBytes } from "../../src/call/body-memory.ts";
import { asGatewayError } from "../../src/errors/gateway-error.ts";
import { type BodyPace, readBody } from "../../src/http/read-body.ts";
import { startGateway } from "../start-gateway.ts";
import { expectErrorAnswer } from "./error-answer.ts";
import { readRawAnswers } from "./raw-answers.ts";

const patient: BodyPace = { idleMs: 60_000, totalMs: 60_000, windowBytes: 0, windowMs: 60_000 };
const upload = "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000\r\n\r\n";

/** A server that answers with the fate of a body. */
function startReader(pace: Partial<BodyPace>) {
  const limits = { ...patient, ...pace, maxBytes: 1_000_000 };
  const buffered = new BufferedBytes(1_000_000);
  const server = createServer((req, res) => {
    const lease = buffered.lease();
    readBody({ req, res }, limits, buffered, lease)
      .then((bytes) => `${bytes.length} bytes`)
      .catch((error: unknown) => asGatewayError(error).message)
      .then((text) => res.end(text));
  });
  return listen(server);
}

/** Sends chunks endlessly until the server has answered. */
async function dripUntilAnswered(port: number, chunk: string): Promise<string> {
  await using connection = await rawRequest(port, upload);
  await waitFor(async () => {
    await connection.write(chunk);
    return connection.received.length > 0;
  }, "an answer to an upload that goes on");
  return connection.received.toString();
}

test("a body that keeps coming is refused when its time is up", async () => {
  await using server = await startReader({ totalMs: 100 });
  expect(await dripUntilAnswered(server.port, "x")).toContain("timeouts.caller_body_total_s");
});

test("a body that comes too slowly is refused, even if it is never silent", async () => {
  await using server = await startReader({ windowMs: 100, windowBytes: 1_000_000 });
  expect(await dripUntilAnswered(server.port, "x")).toContain("min_body_rate_bytes");
});

test("a body whose rate dropped after its first window is refused", async () => {
  await using server = await startReader({ windowMs: 100, windowBytes: 50_000 });
  await using connection = await rawRequest(server.port, upload + "x".repeat(900_000));
  expect(await connection.readUntil("rate_bytes")).toContain("min_body_rate_bytes");
});

test("a body that comes fast enough in every window is accepted", async () => {
  await using server = await startReader({ windowMs: 20, windowBytes: 1 });
  await using connection = await rawRequest(server.port, upload);
  for (let sent = 0; sent < 100; sent++) {
    await connection.write("x".repeat(10_000));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await connection.readUntil("1000000 bytes");
});

test.each(["silent", "dripping"])(
  "an upload that never became a call is refused at shutdown at once (%s)",
  async (how) => {
    await using upstream = await startFaultyUpstream();
    await using gateway = await startGateway({
      llm_routes: { demo: { base_url: upstream.url } },
      // If shutdown waited for it, the test would time out.
      drain_timeout_s: 600,
    });
    const path = "/v1/sessions/s/chat/completions";
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n`;
    await using connection = await rawRequest(gateway.port, `${head}{`);
    await waitFor(async () => {
      const page = await (await fetch(`${gateway.url}/metrics`)).text();
      return /^gateway_buffered_bytes 1$/m.test(page);
    }, "the upload to be read");
    const drip = setInterval(() => void (how === "dripping" && connection.write("x")), 5);
    await gateway.gateway.close();
    clearInterval(drip);
    const [answer] = readRawAnswers(await connection.readUntilClosed());
    if (answer === undefined) throw new Error("the upload was not answered");
    expectErrorAnswer(answer, "gateway_draining");
  },
);
