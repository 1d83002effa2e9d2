import {
  chatCompletion,
  chatStream,
  jsonBytes,
  startFaultyUpstream,
  temporaryFolder,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { chatPath, chatRequest, onlyStep } from "../telemetry/bound-calls.ts";
import { rawCall } from "../telemetry/raw-caller.ts";
import { expectNoWarnings } from "./no-warnings.ts";

// A gateway that shuts down loses no row of the requests in progress.

expectNoWarnings();

const [first = "", ...rest] = chatStream(chatCompletion());

test("requests in flight at a shutdown finish or are cut off, and leave a row either way", async () => {
  await using folder = await temporaryFolder();
  await using upstream = await startFaultyUpstream();
  const gateway = await startGateway(
    {
      llm_routes: { policy: { base_url: upstream.url, max_concurrency: 5 } },
      drain_timeout_s: 0.3,
      timeouts: { first_byte_s: 60 },
    },
    { folder: folder.path },
  );
  const call = (session_id: string, stream: boolean) =>
    rawCall(gateway, chatPath(session_id), chatRequest({ stream }));
  const begin = async (session_id: string, stream: boolean) => {
    const caller = await call(session_id, stream);
    const { reply } = await upstream.nextRequest();
    if (stream) {
      await reply.startEvents();
      await reply.write(first);
      await caller.until(first.toString());
    }
    return { caller, reply };
  };
  const [ends, cut] = [await begin("stream-ends", true), await begin("stream-cut", true)];
  const [answered, silent] = [await begin("answered", false), await begin("silent", false)];
  const [left] = [await begin("left", true)];
  await using waits = await call("waits", false);

  left.caller.connection.destroy();
  const closed = gateway.close();
  await ends.reply.write(Buffer.concat(rest));
  await ends.reply.end();
  await answered.reply.send(jsonBytes(chatCompletion()));
  await closed;

  expect(await ends.caller.untilClosed()).toMatchObject({ status: 200, whole: true });
  expect(await answered.caller.untilClosed()).toMatchObject({ status: 200, whole: true });
  expect(await silent.caller.untilClosed()).toMatchObject({ status: 503, whole: true });
  expect((await waits.untilClosed()).status).toBe(503);
  const broken = await cut.caller.untilClosed();
  expect(broken).toMatchObject({ status: 200, whole: true });
  expect(broken.body).toContain('"code":"gateway_draining"');

  const statusOf = async (session_id: string): Promise<unknown[]> => {
    const { status_code, meta } = await onlyStep(gateway, session_id);
    return [status_code, meta.outcome, meta.upstream_status_code];
  };
  expect(await statusOf("stream-ends")).toEqual([200, "completed", 200]);
  expect(await statusOf("answered")).toEqual([200, "completed", 200]);
  expect(await statusOf("stream-cut")).toEqual([499, "not_delivered", 200]);
  expect(await statusOf("silent")).toEqual([499, "not_delivered", null]);
  expect(await statusOf("left")).toEqual([499, "caller_gone", 200]);
});
