import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type EnvironmentRow, type JobStore, openJobStore } from "@proj/session-store";
import { listen, startDemoUpstream, startProcess, temporaryFolder, waitFor } from "@proj/test-kit";
import { GatewayProcess } from "./gateway-process.ts";
import { databaseFile, holesOf, readRows } from "./stored-rows.ts";
import type { Storm } from "./storm.ts";

const MAIN = fileURLToPath(new URL("../../../apps/launcher/src/bin.ts", import.meta.url));
const job_id = "storm";
const stepsOfSimulation = 4;
const heartbeatSeconds = 2;
const maxMs = 300_000;

/** Repeatedly kills the launcher in the middle of a job: each simulation is finished once, with one reward. */
export const launcherStorm: Storm = {
  name: "launcher",
  reasonMissing: () => null,
  run: async ({ simulations, kills }, report) => {
    await using parts = new AsyncDisposableStack();
    const folder = parts.use(await temporaryFolder());
    const upstream = parts.use(await startDemoUpstream({ delayMs: 10 }));
    const gateway = parts.use(
      await GatewayProcess.start(folder.path, {
        storage_config: { db_url: `sqlite://${databaseFile}` },
        llm_routes: { policy: { base_url: upstream.url } },
      }),
    );
    const runtime = parts.use(await listen(createRuntime()));
    const list = Array.from({ length: simulations }, (_, n) => ({
      simulation_id: `s${n}`,
      env_name: "storm",
    }));
    // JSON is YAML.
    await writeFile(join(folder.path, "simulations.yaml"), JSON.stringify(list));
    const launch = (): ReturnType<typeof startProcess> =>
      startProcess(
        [
          ...[MAIN, "run", "simulations.yaml", "--job-id", job_id, "--llm-model", "policy"],
          ...["--runtime-url", runtime.url, "--gateway-base-url", gateway.url],
          ...[
            "--db-path",
            `sqlite://${databaseFile}`,
            "--concurrency",
            "12",
            "--max-attempts",
            "3",
          ],
          ...["--heartbeat-timeout", String(heartbeatSeconds)],
        ],
        { cwd: folder.path },
      );
    const storage_config = { db_url: `sqlite://${join(folder.path, databaseFile)}` };
    const store = await openJobStore({ storage_type: "sqlite", storage_config });
    parts.defer(() => store.close());

    let killed = 0;
    while (killed < kills) {
      await using launcher = launch();
      const before = await begunOf(store);
      const hasBegunMore = async (): Promise<boolean> => (await begunOf(store)) >= before + 3;
      const next = waitFor(hasBegunMore, "simulations to begin", maxMs).then(() => "killed");
      const ended = launcher.exit(maxMs).then(() => "ended");
      if ((await Promise.race([next, ended])) === "ended") break;
      await delay((killed * 61) % 200);
      launcher.kill("SIGKILL");
      await launcher.exit();
      killed += 1;
    }
    await using last = launch();
    const { code } = await last.exit(maxMs);
    report.equal("the last launcher ends with 0", code, 0);
    const open = await fetch(`${gateway.url}/v1/sessions?limit=1000`);
    report.none("no session is left", ((await open.json()) as { sessions: unknown[] }).sessions);
    report.equal("every gauge is at zero", await gateway.atRest(), {});

    const { environments } = await store.readEnvironments({ job_id, limit: 10_000 });
    const attempts = Map.groupBy(environments, ({ simulation_id }) => simulation_id);
    report.equal("every simulation is there", attempts.size, simulations);
    report.none(
      "each is finished once, by its last attempt",
      [...attempts.values()].filter((all) => !isFinishedOnce(all)),
    );
    const rewards = await Promise.all(environments.map((it) => rewardsOf(store, it)));
    report.none(
      "each finished one has one reward, on its last success",
      rewards.filter((it) => it !== null),
    );
    const finished = environments.filter(({ status }) => status === "finished").length;
    const { rows, integrity } = readRows(folder.path);
    report.equal("the database is sound", integrity, "ok");
    report.none("no step number is missing", holesOf(rows).holes);
    report.figure("simulations", simulations);
    report.figure("launchers killed", killed);
    report.figure("finished", finished);
    report.figure(
      "interrupted attempts",
      environments.filter(({ status }) => status === "interrupted").length,
    );
    report.figure("rows", rows.length);
  },
};

/** Agents behind HTTP: they continue when a launcher dies, so that stragglers are part of the storm. */
function createRuntime(): ReturnType<typeof createServer> {
  return createServer(async (request, response) => {
    const start = (await json(request)) as { llm_base_url: string; session_id: string };
    const statuses: number[] = [];
    for (let number = 0; number < stepsOfSimulation; number += 1) {
      const answer = await fetch(`${start.llm_base_url}/chat/completions`, {
        method: "POST",
        body: JSON.stringify({
          model: "policy",
          messages: [{ role: "user", content: `${number} + 1` }],
        }),
      });
      await answer.text();
      statuses.push(answer.status);
    }
    const isDone = statuses.every((status) => status === 200);
    const result = {
      ...{ session_id: start.session_id, status: isDone ? "completed" : "failed" },
      ...{ total_reward: 1, step_count: stepsOfSimulation, terminated: true, truncated: false },
      ...{ error_text: isDone ? null : statuses.join(), metrics: {} },
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
  });
}

async function begunOf(store: JobStore): Promise<number> {
  const { environments } = await store.readEnvironments({ job_id, limit: 10_000 });
  return environments.filter(({ status }) => status !== "pending").length;
}

function isFinishedOnce(attempts: readonly EnvironmentRow[]): boolean {
  const [last, ...others] = attempts.toSorted((a, b) => b.attempt - a.attempt);
  return last?.status === "finished" && others.every(({ status }) => status === "interrupted");
}

/** What is wrong with an attempt's rewards; null: nothing. */
async function rewardsOf(
  store: JobStore,
  { session_id, status }: EnvironmentRow,
): Promise<string | null> {
  const { steps } = await store.readSteps({ session_id, limit: 1_000 });
  const rewarded = steps.filter(
    ({ reward, is_session_completed }) => reward !== null || is_session_completed,
  );
  if (status !== "finished") return rewarded.length === 0 ? null : `${session_id} has a reward`;
  const lastSuccess = steps.filter(({ status_code }) => status_code === 200).at(-1);
  const [only] = rewarded;
  const isRight = rewarded.length === 1 && only?.id === lastSuccess?.id && only?.reward === 1;
  return isRight ? null : `${session_id} has ${rewarded.length} rewards`;
}
