import { spawnSync } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SecretMask } from "@proj/gateway-protocol";
import { isLeftOut, temporaryFolder } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { runCommand } from "../../src/child-process/run-command.ts";
import { commandRuntime, container, findUser, keptFolders } from "../../src/index.ts";
import { type AgentCommandOptions, agentCommand } from "../../src/runtime/agent-command.ts";
import { checkAgentCommand } from "../../src/runtime/check-agent-command.ts";
import { hasEnded } from "../child-process/has-ended.ts";
import { failureOf } from "../runtime/failure-of.ts";
import { saidByAgent } from "../runtime/said-by-agent.ts";
import { startRequest } from "../start-request.ts";
import { startDocker } from "./docker.ts";
import { startPodman } from "./podman.ts";
import { ofTheSession, reachedServers } from "./reached-servers.ts";

const { signal } = new AbortController();

const engines = [
  {
    engine: "podman",
    started: await startPodman(await temporaryFolder()),
    remedy: "install podman, and runc on a machine with both versions of cgroups",
  },
  {
    engine: "docker",
    started: await startDocker(),
    remedy: "start Docker, or install docker.io and run the tests as root",
  },
] as const;

for (const { engine, started, remedy } of engines) {
  const leftOut = isLeftOut(`agents in containers of ${engine}`, started !== null, remedy);
  const image = started?.image ?? "";
  const marked = `sleep ${(engine === "podman" ? 200_000_000 : 300_000_000) + process.pid}`;

  const said = (
    script: string,
    options: AgentCommandOptions = {},
    request = startRequest,
  ): Promise<string> =>
    saidByAgent(script, { sandbox: container({ engine, image }), ...options }, request);

  /** The ids of its containers, also of those that do not run. */
  const containers = (...options: readonly string[]): string => {
    const args = ["ps", "--quiet", "--all", "--filter", `ancestor=${image}`, ...options];
    return spawnSync(engine, args, { encoding: "utf8" }).stdout.trim();
  };

  describe.skipIf(leftOut)(`an agent in a container of ${engine}`, () => {
    beforeAll(() => {
      for (const [name, value] of Object.entries(started?.env ?? {})) vi.stubEnv(name, value);
    });
    afterAll(async () => {
      await started?.[Symbol.asyncDispose]();
      vi.unstubAllEnvs();
    });

    test("sees the image, no process and no file of the machine, and writes to its own folder alone", async () => {
      const site = await temporaryFolder();
      onTestFinished(() => site.remove());
      const database = join(site.path, "gateway.db");
      await writeFile(database, "reward=0");
      const text = await said(`
        cat ${database}; cat /etc/shadow; touch /bin/x
        echo "users: $(ls /home /root)"; echo "processes: $(ls /proc | tail -n +1)"
        echo x > "$HOME/x" && echo y > "$TMPDIR/y" && echo "may write"`);
      expect(text).not.toContain("reward=0");
      expect(text).toMatch(/shadow: No such file/);
      expect(text).toMatch(/Read-only file system/);
      expect(text).not.toContain(String(process.pid));
      expect(text).toContain("may write");
    });

    test("has its start request and its variables, and no argument tells them", async () => {
      const env = { TOKEN: "only for the agent" };
      const text = await said('echo "$TOKEN $SIMULATION_START_REQUEST"; cat /proc/1/cmdline', {
        env,
      });
      expect(text).toContain(env.TOKEN);
      expect(text).toContain(startRequest.session_id);
      const call = container({ engine, image }).enter({
        ...{
          session_id: "session-1",
          script: "true",
          cwd: "/w",
          limits: {},
          user: null,
          env: { ...env, HOME: "/h" },
        },
        folder: { root: "/w", work: "/w", home: "/h", tmp: "/t" },
      });
      expect(call.args.join(" ")).not.toContain(env.TOKEN);
      expect(call.args).toContain("HOME=/h");
    });

    test("begins when its start request has arrived, and has the whole of it", async () => {
      const parent = await temporaryFolder();
      onTestFinished(() => parent.remove());
      const folder = keptFolders(parent.path).of("session-1");
      const { work } = await folder.open();
      const command =
        '[ -e arrived ] && begun=late; IFS= read -r line; printf \'["%s", "%s"]\' "$begun" "$line"';
      const sandbox = container({ engine, image });
      const start = await agentCommand(command, { sandbox }, folder, {}, "session-1");
      const half = "x".repeat(100_000);
      async function* input(): AsyncGenerator<string> {
        yield half;
        const running = () => containers("--filter", "status=running");
        await expect.poll(running).not.toBe("");
        // A script that did not wait has begun by the time that another program in there has ended.
        const { status } = spawnSync(engine, ["exec", running(), "/bin/sh", "-c", ":"]);
        expect(status).toBe(0);
        await writeFile(join(work, "arrived"), "");
        yield `${half}\n`;
      }
      const task = { input: input(), mask: new SecretMask([]), signal };
      expect((await runCommand(start, task)).value).toEqual(["late", `${half}${half}`]);
    });

    test("that cannot start is a failure of the infrastructure; one that ends with the same code is not", async () => {
      const none = container({ engine, image: "localhost/none:none" });
      expect((await failureOf(commandRuntime("echo 1", { sandbox: none }))).code).toBe(
        "runtime_not_started",
      );
      const ends = commandRuntime("exit 125", { sandbox: container({ engine, image }) });
      expect((await failureOf(ends)).code).toBe("runtime_exited");
    });

    test("reads what it is allowed to", async () => {
      const site = await temporaryFolder();
      onTestFinished(() => site.remove());
      await writeFile(join(site.path, "agent.txt"), "of the agent");
      await chmod(site.path, 0o755);
      const sandbox = container({ engine, image, readable: [site.path] });
      const text = await said(`cat ${site.path}/agent.txt; touch ${site.path}/x`, { sandbox });
      expect(text).toContain("of the agent");
      expect(text).toMatch(/Read-only file system/);
    });

    test("reaches its session's endpoint, and no other one of the gateway or the machine", async () => {
      const { script, request, asked } = await reachedServers();
      const text = await said(script, {}, request);
      expect(asked).toEqual(ofTheSession);
      expect(text).toContain('"llm_base_url":"http://127.0.0.1:9417/v1/sessions/session-1"');
      expect(text).toMatch(/connect: Connection refused/);
    });

    test("shares the machine's network if it is meant to", async () => {
      const { script, request, asked } = await reachedServers();
      const sandbox = container({ engine, image, network: "machine" });
      await said(script, { sandbox }, request);
      expect(asked).toEqual(["GET /straight"]);
    });

    test("leaves nothing behind that it started, however it hides", async () => {
      const parent = await temporaryFolder();
      onTestFinished(() => parent.remove());
      const folder = keptFolders(parent.path).of("session-1");
      const command = `env -i setsid sh -c 'touch hidden; exec ${marked}' >/dev/null 2>&1 & until [ -e hidden ]; do sleep 0.01; done; echo '{"status":"ok"}'`;
      const sandbox = container({ engine, image });
      await commandRuntime(command, { sandbox }).run(startRequest, { signal, folder });
      const { stdout } = spawnSync("pgrep", ["-f", marked], { encoding: "utf8" });
      expect(stdout.split("\n").filter((pid) => pid !== "" && !hasEnded(Number(pid)))).toEqual([]);
    });

    test("has time to tidy up after an abort, and its container is gone", async () => {
      const parent = await temporaryFolder();
      onTestFinished(() => parent.remove());
      const folder = keptFolders(parent.path).of("session-1");
      const abort = new AbortController();
      const command = "trap 'echo > tidy; exit' TERM; echo > begun; while :; do sleep 0.02; done";
      const sandbox = container({ engine, image });
      const options = { signal: abort.signal, folder };
      const run = commandRuntime(command, { sandbox }).run(startRequest, options);
      const { work } = await folder.open();
      const has = (name: string): Promise<boolean> =>
        readFile(join(work, name)).then(
          () => true,
          () => false,
        );
      await expect.poll(() => has("begun")).toBe(true);
      abort.abort(new Error("stopped"));
      await expect(run).rejects.toThrow("stopped");
      expect(await has("tidy")).toBe(true);
      await expect.poll(() => containers()).toBe("");
    });

    test.runIf(process.getuid?.() === 0)("runs as another user too", async () => {
      const user = await findUser("nobody");
      expect(await said("id -u; touch x && echo wrote", { user })).toBe(`${user.uid}\nwrote\n`);
    });

    test("all of its processes together obey the limits of memory and number", async () => {
      const hold =
        'hold() { (head -c 60000000 /dev/zero; sleep 3) | tail -c 40000000 >/dev/null; echo "held: $?"; }';
      const limits = { openFiles: 200, memoryBytes: 2 ** 26 };
      const alone = await said(`cat /proc/self/limits; ${hold}; hold`, { limits });
      expect(alone).toMatch(/Max open files +200 +200/);
      expect(alone).toContain("held: 0");
      expect(await said(`${hold}; hold & hold & wait`, { limits })).toContain("held: 137");
      const many = "i=0; while [ $i -lt 60 ]; do sleep 30 & i=$((i+1)); done; echo never";
      expect(await said(many, { limits: { processes: 20 } }).catch(String)).not.toContain("never");
    });

    test("a missing image is reported before the first simulation", async () => {
      const sandbox = container({ engine, image: "localhost/nowhere" });
      await expect(checkAgentCommand({ sandbox }, signal)).rejects.toThrow(
        new RegExp(`agents cannot be run in a container of ${engine}: .*localhost/nowhere`, "s"),
      );
    });
  });
}

const hasDocker = spawnSync("docker", ["--version"]).status === 0;
const dockerLeftOut = isLeftOut("agents in containers of docker", hasDocker, "install docker.io");

test.skipIf(dockerLeftOut)(
  "a daemon that is not running is reported before the first simulation",
  async () => {
    vi.stubEnv("DOCKER_HOST", "unix:///nowhere/docker.sock");
    onTestFinished(() => void vi.unstubAllEnvs());
    const sandbox = container({ engine: "docker", image: "agents" });
    await expect(checkAgentCommand({ sandbox }, signal)).rejects.toThrow(
      /agents cannot be run in a container of docker: .*daemon/is,
    );
  },
);
