import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunningProcess, temporaryFolder, waitFor } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CrashJob, late, soon } from "./crash-job.ts";
import { type CrashSite, startCrashSite } from "./crash-site.ts";
import { expectFinishedOnce } from "./outcome.ts";

let site: CrashSite;
beforeAll(async () => {
  site = await startCrashSite();
});
afterAll(() => site[Symbol.asyncDispose]());

async function kill(process: RunningProcess): Promise<void> {
  process.kill("SIGKILL");
  await process.exit();
}

test("a followed job has each rollout once, though gateway, launcher and exporter are killed", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "rollouts.jsonl");
  const job = new CrashJob(site);
  const names = Array.from({ length: 8 }, (_, at) => `s${at}`);
  const simulations = names.map((simulation_id, at) => {
    const group_id = `g${Math.trunc(at / 2)}`;
    return { simulation_id, group_id, env_name: null, env_params: null };
  });
  await site.store.addSimulations(job.job_id, simulations);
  const follow = (): RunningProcess =>
    site.start("./follow-program.ts", site.db_url, job.job_id, file);
  const position = async (): Promise<number> =>
    readFile(`${file}.cursor`, "utf8").then(
      (text) => JSON.parse(text).position,
      () => 0,
    );

  const exporters = [follow()];
  // Its first simulation waits, and with it the first group; the others run freely.
  const first = job.start("runtime ended", late);
  await first.reached();
  await waitFor(async () => (await position()) >= 1, "the first group in the file");
  await kill(first.process);
  await kill(exporters[0] ?? first.process);
  const startGateway = await site.killGateway();
  exporters.push(follow());
  await startGateway();
  const second = job.start(null, soon);
  const before = await position();
  await waitFor(async () => (await position()) > before, "another group in the file");
  await kill(exporters[1] ?? first.process);
  const last = follow();
  expect(await second.process.exit()).toEqual({ code: 0, signal: null });
  expect(await last.exit()).toEqual({ code: 0, signal: null });

  await expectFinishedOnce(job);
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  const told: { simulation_id: string; session_id: string }[] = lines.map((line) =>
    JSON.parse(line),
  );
  const finished = (await job.environments()).filter(({ status }) => status === "finished");
  const ids = (rows: typeof told): string[] =>
    rows.map(({ simulation_id, session_id }) => `${simulation_id} ${session_id}`).sort();
  // The agent asks the same every time, and each answer is a conversation of its own.
  const answered = await Promise.all(
    finished.map(async (rollout) => {
      const { steps } = await site.store.readSteps({ session_id: rollout.session_id });
      return steps.filter(({ status_code }) => status_code === 200).map(() => rollout);
    }),
  );
  expect(ids(told)).toEqual(ids(answered.flat()));
});
