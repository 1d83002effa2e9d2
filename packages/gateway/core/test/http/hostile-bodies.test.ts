import { type RawConnection, rawRequest, startDemoUpstream, waitFor } from "@proj/test-kit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectErrorAnswer, type ReadAnswer } from "./error-answer.ts";
import { readRawAnswers } from "./raw-answers.ts";
import { expectUnharmed } from "./unharmed.ts";

let upstream: Awaited<ReturnType<typeof startDemoUpstream>>;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startDemoUpstream();
  gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    max_body_bytes: 1_000_000,
    timeouts: { caller_body_idle_s: 1 },
  });
});

afterEach(() => expectUnharmed(gateway));

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const modelPath = "/v1/sessions/s/chat/completions";
// A closed session is refused before its body is read.
const paths = ["/v1/chat/completions", modelPath, "/v1/sessions/closing/close"] as const;

function head(path: string, ...headers: readonly string[]): string {
  return [`POST ${path} HTTP/1.1`, "host: localhost", ...headers, "", ""].join("\r\n");
}

/** The single answer on a connection that the gateway closed. */
async function onlyAnswer(connection: RawConnection): Promise<ReadAnswer> {
  const [answer, ...others] = readRawAnswers(await connection.readUntilClosed());
  if (answer === undefined || others.length > 0) throw new Error("one answer was expected");
  return answer;
}

/**
 * Runs the check at every endpoint that reads a body, in parallel, because each waits for bytes that never
 * come.
 */
function atEachPath(check: (path: string) => Promise<void>): Promise<unknown> {
  return Promise.all(paths.map(check));
}

test.each([
  ["half a body", "content-length: 100", '{"model":"demo",'],
  ["no body at all", "content-length: 100", ""],
  ["half a chunk", "transfer-encoding: chunked", "40\r\n{"],
  ["a chunk and no end", "transfer-encoding: chunked", "1\r\n{\r\n"],
])("%s and silence is 408, and the connection ends", async (_what, framing, content) => {
  await atEachPath(async (path) => {
    await using connection = await rawRequest(gateway.port, head(path, framing) + content);
    const answer = await onlyAnswer(connection);
    const message = expectErrorAnswer(answer, "request_timeout");
    expect(message).toContain("timeouts.caller_body_idle_s");
    expect(answer.headers.get("connection")).toBe("close");
  });
});

test("a body that keeps coming is waited for, however slow it is", async () => {
  await atEachPath(async (path) => {
    const content = `{"model":"nobody","messages":[]${" ".repeat(120)}}`;
    const start = head(path, `content-length: ${content.length}`, "connection: close");
    await using connection = await rawRequest(gateway.port, start);
    // Longer in total than the allowed silence.
    const began = performance.now();
    for (const character of content) {
      await connection.write(character);
      await new Promise((resolve) => setTimeout(resolve, 8));
    }
    expect(performance.now() - began).toBeGreaterThan(1_000);
    expect((await onlyAnswer(connection)).status).not.toBe(408);
  });
});

test("a body over the limit is refused by its length, before any of it is read", async () => {
  await atEachPath(async (path) => {
    const start = head(path, "content-length: 999999999999", "expect: 100-continue");
    await using connection = await rawRequest(gateway.port, start);
    expectErrorAnswer(await onlyAnswer(connection), "request_too_large");
    // A caller without 100 Continue need not send the body.
    expect(connection.received.toString()).toMatch(/^HTTP\/1\.1 413 /);
  });
});

test("a chunked body is refused as soon as it exceeds the limit", async () => {
  await atEachPath(async (path) => {
    await using connection = await rawRequest(
      gateway.port,
      head(path, "transfer-encoding: chunked"),
    );
    const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
    for (let sent = 0; sent < 1_100_000; sent += 65_536) await connection.write(chunk);
    expectErrorAnswer(await onlyAnswer(connection), "request_too_large");
  });
});

test("a caller that reads only after sending the whole refused body still gets the answer", async () => {
  await atEachPath(async (path) => {
    await using connection = await rawRequest(gateway.port);
    connection.pause();
    await connection.write(head(path, "content-length: 20000000"));
    // More than all buffers on the way hold, so the gateway must have read it.
    expect(await connection.write(Buffer.alloc(20_000_000, " "))).toBe(true);
    connection.resume();
    expectErrorAnswer(await onlyAnswer(connection), "request_too_large");
    expect(connection.error).toBeNull();
  });
});

test("100 Continue is sent for an accepted body, and not for a refused one", async () => {
  await atEachPath(async (path) => {
    const framing = ["content-length: 1", "expect: 100-continue"];
    const encoded = head(path, ...framing, "content-encoding: gzip");
    await using refused = await rawRequest(gateway.port, encoded);
    expectErrorAnswer(await onlyAnswer(refused), "unsupported_encoding");
    expect(refused.received.toString()).toMatch(/^HTTP\/1\.1 415 /);

    await using taken = await rawRequest(gateway.port, head(path, ...framing, "connection: close"));
    await taken.readUntil("HTTP/1.1 100 Continue\r\n\r\n");
    await taken.write("{");
    expectErrorAnswer(await onlyAnswer(taken), "invalid_request");
  });
});

test.each(["destroy", "reset"] as const)("a caller may leave in its body by %s", async (how) => {
  await atEachPath(async (path) => {
    await using connection = await rawRequest(gateway.port, head(path, "content-length: 100"));
    await connection.write('{"model":');
    connection[how]();
    await connection.readUntilClosed();
  });
});

test("a body may be nested 100,000 deep in unread parts, and is stored as it came", async () => {
  const depth = 100_000;
  const deep = "[".repeat(depth) + "]".repeat(depth);
  const body = `{"model":"demo","messages":[{"role":"user","content":"Hello"}],"metadata":${deep}}`;
  const response = await gateway.post("/v1/sessions/deep/chat/completions", body);
  await response.text();
  const [row] = await waitFor(() => {
    const rows = gateway.steps("deep");
    return rows.length > 0 ? rows : null;
  }, "the row of the deep request");
  expect(row?.request).toContain(deep);
});

test("bodies that only open brackets are refused, and say where they end", async () => {
  for (const text of ["[".repeat(500_000), `{"model":"demo","x":${"[".repeat(500_000)}`]) {
    const response = await gateway.post(modelPath, text);
    const { status, headers } = response;
    expectErrorAnswer({ status, headers, text: await response.text() }, "invalid_request");
  }
});

test("an unread body does not keep a connection open forever", async () => {
  // Clean needs no body, so it answers at once, whatever arrives.
  const start = head("/v1/sessions/nobody/clean", "transfer-encoding: chunked");
  await using connection = await rawRequest(gateway.port, start);
  const answer = await onlyAnswer(connection);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("connection")).toBe("close");
});
