import { spawnSync } from "node:child_process";
import { access, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isLeftOut } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { agentCommand, type Ended, type Gateway, launch, startGateway } from "./launcher.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
  await gateway.write("s.yaml", "- { simulation_id: a }");
});
afterAll(() => gateway[Symbol.asyncDispose]());

const runJob = (...more: string[]): Promise<Ended> =>
  launch(gateway.run("s.yaml", ...more), { cwd: gateway.folder, env: { COLOUR: "red" } });

test("an agent works in its own folder, which the evaluator sees and which can be kept", async () => {
  const agent = `echo "$COLOUR $SHAPE" > said; exec ${agentCommand}`;
  const judge = `node -e 'const {workdir} = JSON.parse(require("fs").readFileSync(0)); console.log(require("fs").readFileSync(workdir + "/said").length)'`;
  const scored = ["--runtime-command", agent, "--evaluator-command", judge];
  const env = ["--env", "COLOUR", "--env", "SHAPE=round = good"];
  const kept = join(gateway.folder, "kept");
  const { code, stdout } = await runJob(
    "--job-id",
    "kept",
    ...scored,
    ...env,
    "--workdirs",
    "kept",
  );
  expect(stdout).toMatch(/reward 17,/);
  expect(code).toBe(0);
  const [session = ""] = await readdir(kept);
  expect(await readFile(join(kept, session, "work", "said"), "utf8")).toBe("red round = good\n");
  await expect(access(join(gateway.folder, "said"))).rejects.toThrow("ENOENT");

  const place = ["--db-path", gateway.db_url, "--job-id", "kept", "--llm-model", "demo"];
  const again = ["--evaluator-command", `${judge} | sed s/17/5/`, "--workdirs", "kept"];
  const evaluated = await launch(["evaluate", ...place, ...again], { cwd: gateway.folder });
  expect(evaluated.stdout).toMatch(/^evaluated +a {2}reward 5, before 17$/m);
  expect(evaluated.stdout).toContain("1 scored, 0 not scored, 0 left out");
  expect(evaluated.code).toBe(0);
});

test("a command that names a file beside the launcher is refused with advice", async () => {
  await gateway.write("agent.sh", "true");
  const { code, stderr } = await runJob("--runtime-command", "sh agent.sh");
  expect(stderr).toContain(`write "$PWD/agent.sh", or give --runtime-cwd .`);
  expect(code).toBe(2);
});

test.each([
  [["--runtime-user", "no-such-user"], /--runtime-user: there is no user 'no-such-user'/],
  [["--runtime-limit", "memory=much"], /--runtime-limit must be one of memory, cpu/],
  [["--runtime-read", "/tmp"], /--runtime-read needs --runtime-sandbox/],
  [["--runtime-network", "machine"], /--runtime-network needs --runtime-sandbox/],
  [["--runtime-sandbox", "podman"], /--runtime-sandbox podman needs --runtime-image/],
  [["--runtime-image", "agents"], /--runtime-image needs --place podman, docker or kubernetes/],
  [["--place", "kubernetes"], /--place kubernetes needs --runtime-image/],
  [
    ["--place", "kubernetes", "--runtime-image", "i", "--place-pod", "s.yaml"],
    /--place-pod: s\.yaml: .*expected object/,
  ],
  [["--place-pod", "s.yaml"], /--place-pod needs --place kubernetes/],
  [["--runtime-cwd", "missing"], /--runtime-cwd: there is no missing/],
])("an impossible option is refused before anything runs: %j", async (more, message) => {
  const { code, stderr } = await runJob(...more);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

test("evaluate names a missing job, and what it needs", async () => {
  const args = ["evaluate", "--db-path", gateway.db_url, "--llm-model", "demo", "--job-id", "none"];
  const unknown = await launch([...args, "--evaluator-command", "echo 1"]);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("no job 'none'")]);
  const nothing = await launch(args);
  expect(nothing.stderr).toContain("evaluate needs --evaluator-command or --evaluator-url");
});

const hasProgram = spawnSync("bwrap", ["--version"]).status === 0;
const leftOut = isLeftOut("a job in bubblewrap", hasProgram, "install bubblewrap");

describe.skipIf(leftOut)("in a sandbox", () => {
  test("an agent plays its simulation, and cannot reach the database", async () => {
    const file = gateway.db_url.slice("sqlite://".length);
    const agents = fileURLToPath(new URL("agents", import.meta.url));
    const node = dirname(dirname(process.execPath));
    const agent = `cat ${file} >&2 && exit 9; exec ${agentCommand}`;
    const { code, stdout } = await runJob(
      ...["--job-id", "boxed", "--runtime-command", agent, "--runtime-sandbox", "bubblewrap"],
      ...["--runtime-read", agents, "--runtime-read", node, "--runtime-limit", "open-files=500"],
    );
    expect(stdout).toContain("1 simulation: 1 finished");
    expect(code).toBe(0);
  });

  test("a sandbox that does not work here is reported before anything runs", async () => {
    const { code, stderr } = await launch(
      gateway.run("s.yaml", "--runtime-sandbox", "bubblewrap"),
      { cwd: gateway.folder, env: { PATH: "/nowhere" } },
    );
    expect(stderr).toMatch(/agents cannot be run in bubblewrap: a command could not be started/);
    expect(code).toBe(2);
  });
});
