import { fileURLToPath } from "node:url";
import {
  isLeftOut,
  rawRequest,
  startFaultyUpstream,
  startProcess,
  temporaryFolder,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { expectErrorAnswer } from "./error-answer.ts";
import { readRawAnswers } from "./raw-answers.ts";

const isElsewhere = isLeftOut("descriptors", process.platform === "linux", "needs Linux");
const program = fileURLToPath(new URL("descriptors-program.ts", import.meta.url));
const get = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";

test.skipIf(isElsewhere)(
  "with no file descriptor left, metrics are served, and a call gets the gateway's 503 and is not a step",
  async () => {
    await using folder = await temporaryFolder();
    await using running = startProcess([program, folder.path], { maxOpenFiles: 256 });
    const seen = JSON.parse(await running.line(/^\{/));
    expect(seen.before.status).toBe(200);
    expect(seen.during.status).toBe(503);
    expect(JSON.parse(seen.during.text).error).toMatchObject({
      code: "overloaded",
      message: expect.stringContaining("EMFILE"),
    });
    expect(seen.metrics.status).toBe(200);
    expect(seen.metrics.text).toMatch(/^process_max_fds 256$/m);
    expect(seen.metrics.text).toMatch(/^process_open_fds 256$/m);
    expect(seen.metrics.text).toMatch(
      /^gateway_requests_refused_total\{.*reason="overloaded"\} 1$/m,
    );
    expect(seen.after.status).toBe(200);
    // Two steps of two, and nothing was asked after them: the request refused in between was not a step.
    const { policy } = JSON.parse(seen.status.text).models;
    expect(policy).toMatchObject({ steps: 2, successes: 2, stopped: false });
    expect((await running.exit()).code).toBe(0);
  },
);

test("connections beyond max_connections get an error, and existing ones continue", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    max_connections: 2,
  });
  await using first = await rawRequest(gateway.port, get);
  await using second = await rawRequest(gateway.port, get);
  for (const connection of [first, second]) await connection.readUntil('{"status":"ok"}');
  await using third = await rawRequest(gateway.port, get);
  const [refused] = readRawAnswers(await third.readUntilClosed());
  if (refused === undefined) throw new Error("the third connection was not answered");
  expect(expectErrorAnswer(refused, "overloaded")).toContain("max_connections");
  // A connection that sends nothing takes no place either.
  await using silent = await rawRequest(gateway.port);
  expect((await silent.readUntilClosed()).toString()).toBe("");

  await first.write("GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
  const page = (await first.readUntilClosed()).toString();
  expect(page).toMatch(/^gateway_connections_open [23]$/m);
  expect(page).toMatch(/^gateway_connections_accepted_total 2$/m);
  expect(page).toMatch(/^gateway_connections_dropped_total 2$/m);
  await using fourth = await rawRequest(gateway.port, get);
  await fourth.readUntil('{"status":"ok"}');
});
