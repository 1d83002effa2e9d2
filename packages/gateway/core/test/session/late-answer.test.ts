import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { RouteListBody } from "@proj/gateway-protocol";
import { chatCompletion, startFaultyUpstream, temporaryFolder, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { refusal, sessionClient } from "./session-client.ts";

/** More than there are threads for work outside the event loop, such as decoding. */
const maxThreads = 64;

/** Blocks those threads until it is disposed of: each opens a pipe that nobody writes to. */
function holdThreads(folder: string): Disposable {
  const pipe = join(folder, "pipe");
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
  for (let at = 0; at < maxThreads; at += 1) void open(pipe, "r").then((file) => file.close());
  return {
    [Symbol.dispose]: () => {
      const writer = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
      // Once this open succeeds, every reader has the pipe open.
      void open(pipe, "r").then(async (file) => {
        await file.close();
        closeSync(writer);
      });
    },
  };
}

for (const mode of ["strict", "best_effort"])
  test.skipIf(process.platform === "win32")(
    `${mode}: an answer that is read only after its session was closed is recorded as late, never as a success`,
    async () => {
      await using folder = await temporaryFolder();
      await using upstream = await startFaultyUpstream();
      await using gateway = await startGateway({
        llm_routes: { demo: { base_url: upstream.url } },
        session_close_timeout_s: 0.1,
        telemetry: { mode, write_timeout_s: 0.1, flush_interval_ms: 1 },
        request_log: { enabled: false },
      });
      const session = sessionClient(gateway, "s");
      const answer = session.chat();
      const { reply } = await upstream.nextRequest();
      {
        using _held = holdThreads(folder.path);
        const bytes = gzipSync(JSON.stringify(chatCompletion()));
        const headers = { "content-type": "application/json", "content-encoding": "gzip" };
        await reply.send(bytes, { headers });
        const routes = async (): Promise<RouteListBody> =>
          (await (await fetch(`${gateway.url}/v1/routes`)).json()) as RouteListBody;
        await waitFor(async () => (await routes()).routes[0]?.in_flight === 0, "the answer");
        expect(await session.closeAndWait()).toMatchObject({
          status: "closed",
          in_flight: 1,
          close: { forced: true, telemetry: "pending" },
        });
        expect(gateway.steps("s")).toEqual([]);
      }
      if (mode === "strict")
        expect(await refusal(await answer)).toBe("503 telemetry_unavailable, retry false");
      else await answer.catch(() => {});
      await waitFor(() => gateway.steps("s").length === 1, "the late row");
      expect(gateway.steps("s")).toMatchObject([
        { status_code: 503, meta: { status_code: 503, upstream_status_code: 200, late: true } },
      ]);
      expect(await session.latestSuccessStep()).toMatchObject({ step_id: null });
    },
  );
