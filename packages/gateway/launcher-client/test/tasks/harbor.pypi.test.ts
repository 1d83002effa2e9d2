import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { isLeftOutWithoutPython, pythonWith, temporaryFolder } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { nopAgent, oracleAgent, type TaskAgent } from "../../src/index.ts";
import { podmanTasks } from "./podman-tasks.ts";
import { allTasks, type TaskFiles } from "./task-files.ts";

/** Those that differ most: Harbor takes seconds for each, in a container that podman-compose starts. */
const compared = ["json-reward", "two-steps"];
/** Harbor asks for the user by name, whom images of these tests do not have. */
const hasRoot = "FROM @IMAGE@\nRUN echo root:x:0:0::/:/bin/sh > /etc/passwd\nWORKDIR /app\n";
const same: readonly TaskFiles[] = allTasks
  .filter(({ name }) => compared.includes(name))
  .map(({ files, ...task }) => ({
    ...task,
    files: { ...files, "environment/Dockerfile": hasRoot },
  }));
const wrong = "#!/bin/sh\necho 41 > /app/result\nexit 3\n";
const broken: readonly TaskFiles[] = same.slice(0, 1).map(({ files, ...task }) => ({
  ...task,
  name: `${task.name}-broken`,
  files: Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, path.endsWith("solve.sh") ? wrong : text]),
  ),
}));

const packages = ["harbor==0.26.0", "podman-compose==1.6.0"];
const python = await pythonWith(packages, { minMinor: 12 });
const tasks = await podmanTasks([...same, ...broken]);
const leftOut =
  isLeftOutWithoutPython("rewards as Harbor 0.26 gives them (Python 3.12)", python) ||
  tasks.isLeftOut;

type Rewards = Readonly<Record<string, number | null>>;

/** Harbor's rewards by the task's name; null: it gave none. */
async function harborRewards(agent: string, leaving: string): Promise<Rewards> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const where = ["--path", tasks.folder, "--exclude-task-name", leaving];
  const what = ["--agent", agent, "--jobs-dir", folder.path, "--job-name", "job"];
  const how = ["--env", "podman", "--n-concurrent", "4", "--yes", "--no-delete"];
  const { bin = "" } = python ?? {};
  await promisify(execFile)(join(bin, "harbor"), ["run", ...where, ...what, ...how], {
    env: {
      ...process.env,
      HOME: folder.path,
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      LITELLM_LOCAL_MODEL_COST_MAP: "True",
    },
    maxBuffer: 64 * 1024 * 1024,
  });
  const rewards: Record<string, number | null> = {};
  for (const entry of await readdir(join(folder.path, "job"), { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder.path, "job", entry.name, "result.json");
    const { task_name, verifier_result, exception_info } = JSON.parse(await readFile(path, "utf8"));
    if (exception_info != null) throw new Error(`${task_name}: ${JSON.stringify(exception_info)}`);
    rewards[task_name.split("/").at(-1)] = verifier_result?.rewards?.reward ?? null;
  }
  return rewards;
}

async function ourRewards(agent: TaskAgent, of: readonly TaskFiles[]): Promise<Rewards> {
  const rewards: Record<string, number | null> = {};
  for (const { name } of of) rewards[name] = (await tasks.play(name, agent)).total_reward;
  return rewards;
}

test.skipIf(leftOut)(
  "Harbor gives the same rewards for oracle, nop and broken solutions",
  { timeout: 600_000 },
  async () => {
    const [oracle, nop, ourOracle, ourNop] = await Promise.all([
      harborRewards("oracle", "nothing"),
      harborRewards("nop", "*-broken"),
      ourRewards(oracleAgent, [...same, ...broken]),
      ourRewards(nopAgent, same),
    ]);
    expect(Object.keys(ourOracle)).toHaveLength(compared.length + broken.length);
    expect(oracle).toEqual(ourOracle);
    expect(nop).toEqual(ourNop);
    for (const { name, ...is } of same)
      expect([oracle[name], nop[name]]).toEqual([is.oracle, is.nop]);
    // A broken solution is worth less than the sound one.
    for (const { name, ...is } of same.slice(0, 1))
      expect(oracle[`${name}-broken`]).toBeLessThan(is.oracle);
  },
);
