import { startDemoUpstream, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { holdWriteLock } from "../telemetry/write-lock.ts";
import { sessionClient } from "./session-client.ts";

test.for([
  ["drop_newest", [1, 2]],
  ["drop_oldest", [1, 4]],
  ["fail_closed", [1, 2]],
] as const)(
  "best_effort, %s: close says telemetry lost and how many rows, and a session that lost none says flushed",
  async ([loss_policy, stored]) => {
    await using upstream = await startDemoUpstream();
    await using gateway = await startGateway({
      llm_routes: { demo: { base_url: upstream.url } },
      // In batches of one, the first row is being written before the second comes.
      telemetry: { mode: "best_effort", loss_policy, queue_max_rows: 2, batch_size: 1 },
    });
    const other = sessionClient(gateway, "other");
    await (await other.chat()).text();
    await waitFor(() => gateway.steps("other").length === 1, "the other session's row");
    const session = sessionClient(gateway, "s");
    const lock = holdWriteLock(gateway.databasePath);
    for (let step = 1; step <= 4; step += 1) {
      const answer = await session.chat();
      expect([answer.status, answer.headers.get("x-gateway-step-id")]).toEqual([200, `${step}`]);
      await answer.text();
    }
    lock.release();
    const closed = await session.closeAndWait();
    expect(closed.close).toMatchObject({ telemetry: "lost", lost_rows: 2, forced: false });
    expect(gateway.steps("s").map((row) => row.step_id)).toEqual(stored);
    expect((await other.closeAndWait()).close).toMatchObject({
      telemetry: "flushed",
      lost_rows: 0,
    });
  },
);
