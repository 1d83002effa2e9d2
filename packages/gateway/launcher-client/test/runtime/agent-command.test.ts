import { access, mkdir, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { expect, onTestFinished, test, vi } from "vitest";
import { commandRuntime, findUser, keptFolders } from "../../src/index.ts";
import type { AgentCommandOptions } from "../../src/runtime/agent-command.ts";
import { checkAgentCommand } from "../../src/runtime/check-agent-command.ts";
import { startRequest } from "../start-request.ts";
import { failureOf } from "./failure-of.ts";
import { saidByAgent } from "./said-by-agent.ts";

const { signal } = new AbortController();
const isLinux = process.platform === "linux";
const isRoot = process.getuid?.() === 0;

const variables = async (options?: AgentCommandOptions): Promise<Map<string, string>> => {
  const lines = (await saidByAgent("env", options)).split("\n");
  return new Map(lines.map((line) => [line.split("=", 1)[0] ?? "", line.replace(/^\w+=/, "")]));
};

test.runIf(isLinux)(
  "an agent gets only listed variables of the launcher's environment",
  async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const secrets = ["GATEWAY_API_KEY", "GATEWAY_SESSION_SECRET", "GATEWAY_DB_URL", "PGPASSWORD"];
    for (const name of [...secrets, "OPENAI_API_KEY", "COLOUR"])
      vi.stubEnv(name, "of the launcher");
    vi.stubEnv("LANG", "C.UTF-8");
    const plain = await variables();
    const usual = ["HOME", "LANG", "PATH", "SIMULATION_START_REQUEST", "TMPDIR"];
    expect([...plain.keys()]).toEqual(expect.arrayContaining(usual));
    expect(plain.get("LANG")).toBe("C.UTF-8");
    expect([...plain.values()]).not.toContain("of the launcher");

    const env = { COLOUR: undefined, LANG: undefined, SHAPE: "round" };
    const more = await variables({ passEnv: ["OPENAI_API_KEY", "COLOUR"], env });
    expect(more.get("OPENAI_API_KEY")).toBe("of the launcher");
    expect(more.get("SHAPE")).toBe("round");
    expect([more.has("COLOUR"), more.has("LANG")]).toEqual([false, false]);
  },
);

test("an agent works in its own folder, which is removed when it is over", async () => {
  const locking = 'mkdir -p "$HOME/locked" && touch "$HOME/locked/x" && chmod 500 "$HOME/locked"';
  const print = `printf '{"status":"ok","error_text":"%s %s %s"}' "$PWD" "$HOME" "$TMPDIR"`;
  const runtime = commandRuntime(`${locking}; ${print}`);
  const results = [1, 2].map(() => runtime.run(startRequest, { signal }));
  const [first, second] = (await Promise.all(results)).map(({ error_text }) => error_text ?? "");
  const roots = new Set(first?.split(" ").map(dirname));
  const [root = ""] = roots;
  expect(roots.size).toBe(1);
  expect(second).not.toContain(root);
  await expect(access(root)).rejects.toThrow("ENOENT");
});

test("an agent can be given a working folder, and keeps its own home", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const [cwd, home] = (await saidByAgent('pwd; echo "$HOME"', { cwd: folder.path })).split("\n");
  expect(cwd).toBe(await realpath(folder.path));
  expect(home).not.toContain(folder.path);
});

test("kept folders are found by their session, and only their owner can enter them", async () => {
  const parent = await temporaryFolder();
  onTestFinished(() => parent.remove());
  const folders = keptFolders(join(parent.path, "kept"));
  const folder = folders.of("session-1");
  expect(await folders.find("session-1")).toBeNull();
  const runtime = commandRuntime(`echo x > file; echo '{"status":"ok"}'`);
  await runtime.run(startRequest, { signal, folder });
  await folders.leave(folder);
  await folders.close();
  const work = await folders.find("session-1");
  expect(work).toBe(folder.work);
  expect(await readFile(join(work ?? "", "file"), "utf8")).toBe("x\n");
  expect((await stat(dirname(work ?? ""))).mode & 0o777).toBe(0o700);
});

test.runIf(isLinux)("limits apply to the processes of an agent", async () => {
  const limits = {
    memoryBytes: 512 * 1024 * 1024,
    cpuSeconds: 30,
    fileBytes: 1024 * 1024,
    openFiles: 200,
    processes: 5_000,
  };
  const shown = await saidByAgent("cat /proc/self/limits", { limits });
  const limitOf = (name: string): string | undefined =>
    new RegExp(`^${name} +(\\d+) +\\1 `, "m").exec(shown)?.[1];
  expect({
    data: limitOf("Max data size"),
    cpu: limitOf("Max cpu time"),
    file: limitOf("Max file size"),
    open: limitOf("Max open files"),
    processes: limitOf("Max processes"),
  }).toEqual({ data: "536870912", cpu: "30", file: "1048576", open: "200", processes: "5000" });
});

test.runIf(isLinux)(
  "an agent that exceeds its memory, time or disk limit fails alone",
  async () => {
    const fails = async (command: string, limits: AgentCommandOptions["limits"]): Promise<string> =>
      (
        await failureOf(
          commandRuntime(`${command}; echo '{"status":"ok"}'`, { limits: limits ?? {} }),
        )
      ).message;
    const filling = "node -e 'for (const all = [];;) all.push(Buffer.alloc(1 << 24, 1))' || exit 9";
    expect(await fails(filling, { memoryBytes: 300 * 1024 * 1024 })).toContain(
      "exited with code 9",
    );
    expect(await fails("while :; do :; done", { cpuSeconds: 1 })).toMatch(
      /was ended by SIG(XCPU|KILL)/,
    );
    const writing = "head -c 4000000 /dev/zero > file || exit 9";
    expect(await fails(writing, { fileBytes: 100_000 })).toContain("exited with code 9");
  },
);

test.runIf(isLinux && isRoot)(
  "an agent that runs as another user cannot read the launcher's secrets or database",
  async () => {
    const site = await temporaryFolder();
    onTestFinished(() => site.remove());
    const secret = join(site.path, "key");
    await mkdir(site.path, { recursive: true });
    await writeFile(secret, "opens-everything", { mode: 0o600 });
    const user = await findUser("nobody");
    const tries = `id -un; id -G; touch file && echo wrote; cat ${secret} 2>&1; cat /proc/$PPID/environ 2>&1; kill -0 $PPID 2>&1`;
    const said = await saidByAgent(tries, { user });
    expect(said).toMatch(/^nobody\n\d+\nwrote\n/);
    expect(said.match(/Permission denied|not permitted/g)).toHaveLength(3);
    expect(said).not.toContain("opens-everything");
  },
);

test("a user that does not exist, or that only root may become, is refused by name", async () => {
  await expect(findUser("no-such-user")).rejects.toThrow("there is no user 'no-such-user'");
  if (isRoot) return;
  await expect(findUser("root")).rejects.toThrow("only root may start commands as the user 'root'");
});

test("what does not work here is reported before the first simulation", async () => {
  await checkAgentCommand({}, signal);
  const sandbox = {
    description: "a sandbox",
    enter: () => ({ file: "no-such-sandbox", args: [], env: {}, cwd: "/", user: null }),
  };
  await expect(checkAgentCommand({ sandbox }, signal)).rejects.toThrow(
    /agents cannot be run in a sandbox: a command could not be started.*ENOENT/,
  );
});
