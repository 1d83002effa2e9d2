import { fileURLToPath } from "node:url";
import { waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { commandRuntime } from "../../src/index.ts";
import { startOddServer } from "../odd-server.ts";
import { CrashJob, late, soon } from "./crash-job.ts";
import { startCrashSite } from "./crash-site.ts";
import { expectFinishedOnce } from "./outcome.ts";

const program = fileURLToPath(new URL("./straggling-agent.ts", import.meta.url));

test("an agent that outlives its launcher gets 400 once its attempt is interrupted, and writes nothing", async () => {
  await using site = await startCrashSite();
  const goOn = Promise.withResolvers<void>();
  await using control = await startOddServer(async (res, { request }) => {
    if (request === "GET /1") await goOn.promise;
    res.end();
  });
  const heard = (request: string): Promise<unknown> =>
    waitFor(() => control.asked.find((asked) => asked.request === request), request);
  const command = `"${process.execPath}" "${program}" "${control.url}"`;

  const job = await CrashJob.add(site, 1);
  const killed = job.start(null, { ...late, command });
  await heard("GET /1");
  killed.process.kill("SIGKILL");
  await killed.process.exit();
  await job.startHere(null, { ...soon, runtime: commandRuntime(command) }).job;
  const [interrupted] = await job.environments();
  const { session_id = "" } = interrupted ?? {};
  expect(await site.gateway.session(session_id)).toBeNull();

  goOn.resolve();
  await heard("GET /1/400");
  expect((await site.store.readSteps({ session_id })).steps).toHaveLength(1);
  await waitFor(
    async () => (await site.gateway.session(session_id))?.status === "closed",
    "the session to be closed",
  );
  await site.gateway.clean(session_id);
  const { s0 } = await expectFinishedOnce(job);
  expect(s0).toEqual(["interrupted", "finished"]);
});
