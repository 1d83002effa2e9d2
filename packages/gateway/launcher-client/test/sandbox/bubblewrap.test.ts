import { spawnSync } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isLeftOut, temporaryFolder } from "@proj/test-kit";
import { describe, expect, onTestFinished, test } from "vitest";
import { bubblewrap, commandRuntime, findUser, keptFolders } from "../../src/index.ts";
import type { AgentCommandOptions } from "../../src/runtime/agent-command.ts";
import { hasEnded } from "../child-process/has-ended.ts";
import { failureOf } from "../runtime/failure-of.ts";
import { saidByAgent } from "../runtime/said-by-agent.ts";
import { startRequest } from "../start-request.ts";
import { ofTheSession, reachedServers } from "./reached-servers.ts";

const hasProgram = spawnSync("bwrap", ["--version"]).status === 0;
const leftOut = isLeftOut("agents in bubblewrap", hasProgram, "install bubblewrap");
const { signal } = new AbortController();
const isRoot = process.getuid?.() === 0;

/** Settings that root's id may write to, each with a value that would do no harm: its own. */
function kernelSettings(): readonly string[] {
  const { stdout } = spawnSync(
    "find",
    ["/proc/sys/kernel", "/proc/sys/vm", "/proc/sys/fs", "-type", "f", "-perm", "-u+rw"],
    { encoding: "utf8" },
  );
  return stdout.trim().split("\n").slice(0, 60);
}

const said = (
  script: string,
  options: AgentCommandOptions = {},
  request = startRequest,
): Promise<string> => saidByAgent(script, { sandbox: bubblewrap(), ...options }, request);

describe.skipIf(leftOut)("an agent in bubblewrap", () => {
  test("sees no process, no home, no file of the launcher, and writes only to its own folder", async () => {
    const site = await temporaryFolder();
    onTestFinished(() => site.remove());
    const database = join(site.path, "gateway.db");
    await writeFile(database, "reward=0");
    const text = await said(`
      cat ${database}; echo reward=777 > ${database}
      ls /root /home; cat /etc/shadow; touch /usr/x
      echo "processes: $(ls /proc | grep -c '^[0-9]')"
      grep -l GATEWAY /proc/[0-9]*/environ
      echo x > "$HOME/x" && echo y > "$TMPDIR/y" && echo "may write"`);
    expect(await readFile(database, "utf8")).toBe("reward=0");
    expect(text).not.toContain("reward=0");
    expect(text).toMatch(/shadow: No such file/);
    expect(text).toMatch(/Read-only file system/);
    expect(Number(/processes: (\d+)/.exec(text)?.[1])).toBeLessThan(10);
    expect(text).toContain("may write");
  });

  test("reads what it is allowed to", async () => {
    const site = await temporaryFolder();
    onTestFinished(() => site.remove());
    await writeFile(join(site.path, "agent.txt"), "of the agent");
    await chmod(site.path, 0o755);
    const sandbox = bubblewrap({ readable: [site.path] });
    expect(await said(`cat ${site.path}/agent.txt`, { sandbox })).toBe("of the agent");
  });

  test("reaches its session's endpoint, and no other one of the gateway or the machine", async () => {
    const { script, request, asked } = await reachedServers();
    const text = await said(script, {}, request);
    expect(asked).toEqual(ofTheSession);
    expect(text).toContain('"llm_base_url":"http://127.0.0.1:9417/v1/sessions/session-1"');
    expect(text).toMatch(/connect: Connection refused/);
    expect(await said("cat /proc/net/dev")).not.toMatch(/eth|ens|wl/);
  });

  test("shares the machine's network if it is meant to", async () => {
    const { script, request, asked } = await reachedServers();
    await said(script, { sandbox: bubblewrap({ network: "machine" }) }, request);
    expect(asked).toEqual(["GET /straight"]);
  });

  test("leaves no process behind, however it hides", async () => {
    const parent = await temporaryFolder();
    onTestFinished(() => parent.remove());
    const folder = keptFolders(parent.path).of("session-1");
    // Without its environment it has no mark to be found by, but it ends with the sandbox.
    const marked = `sleep ${100_000_000 + process.pid}`;
    const command = `env -i setsid sh -c 'touch hidden; exec ${marked}' >/dev/null 2>&1 & until [ -e hidden ]; do sleep 0.01; done; echo '{"status":"ok"}'`;
    await commandRuntime(command, { sandbox: bubblewrap() }).run(startRequest, { signal, folder });
    const { stdout } = spawnSync("pgrep", ["-f", marked], { encoding: "utf8" });
    expect(stdout.split("\n").filter((pid) => pid !== "" && !hasEnded(Number(pid)))).toEqual([]);
  });

  test("has time to clean up after an abort", async () => {
    const parent = await temporaryFolder();
    onTestFinished(() => parent.remove());
    const folder = keptFolders(parent.path).of("session-1");
    const abort = new AbortController();
    const command = "trap 'echo > tidy; exit' TERM; echo > begun; while :; do sleep 0.02; done";
    const run = commandRuntime(command, { sandbox: bubblewrap() }).run(startRequest, {
      signal: abort.signal,
      folder,
    });
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
  });

  test("that cannot start is a failure of the infrastructure; one that ends with the same code is not", async () => {
    const nowhere = bubblewrap({ readable: ["/nowhere"] });
    expect(await failureOf(commandRuntime("echo 1", { sandbox: nowhere }))).toMatchObject({
      code: "runtime_not_started",
      message: expect.stringContaining("/nowhere"),
    });
    const ends = commandRuntime("exit 1", { sandbox: bubblewrap() });
    expect((await failureOf(ends)).code).toBe("runtime_exited");
  });

  test("cannot replace its folders, so that they are what the launcher finds", async () => {
    expect(await said('rm -rf "$TMPDIR"')).toContain("Device or resource busy");
  });

  describe.runIf(isRoot)("that root starts", () => {
    test("is not root, and changes nothing that the kernel gives to root's id", async () => {
      const settings = kernelSettings();
      const text = await said(`
        id -u
        for file in ${settings.join(" ")} /proc/sysrq-trigger; do
          (value=$(cat $file); echo "$value" > $file) 2>&1 && echo "wrote $file"
        done
        echo "mounts: $(grep -c ' /proc/sys .*[ ,]ro[ ,]' /proc/self/mounts)"
        find /etc /usr/local/etc /usr/lib/ssl -type f -exec grep -l 'PRIVATE KEY' {} + ; ls /etc/ssl/private /etc/pki/tls/private
        mount -t tmpfs none /tmp`);
      const { uid } = await findUser("nobody");
      expect(text).toMatch(new RegExp(`^${uid}\\n`));
      expect(text).not.toContain("wrote ");
      expect(text).toContain("mounts: 1");
      expect(text).not.toMatch(/^\/(etc|usr)\//m);
      expect(text).toContain("/etc/ssl/private': No such file");
    });

    test("does not run as root even if it is asked for", async () => {
      const user = await findUser("root");
      await expect(said("id", { user })).rejects.toThrow("bubblewrap does not hold root");
      const call = {
        ...{ session_id: "session-1", script: "id", cwd: "/", env: {}, limits: {}, user: null },
        folder: { root: "/r", work: "/r/w", home: "/r/h", tmp: "/r/t" },
      };
      expect(() => bubblewrap().enter(call)).toThrow("bubblewrap does not hold root");
    });

    test("runs as another user too", async () => {
      const user = await findUser("nobody");
      expect(await said("id -u; touch x && echo wrote", { user })).toBe(`${user.uid}\nwrote\n`);
    });
  });

  test("obeys limits", async () => {
    const text = await said("cat /proc/self/limits", { limits: { openFiles: 200 } });
    expect(text).toMatch(/Max open files +200 +200/);
  });
});
