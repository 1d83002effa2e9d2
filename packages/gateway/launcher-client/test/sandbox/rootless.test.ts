import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isLeftOut, type TemporaryFolder, temporaryFolder } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { findUser } from "../../src/index.ts";
import { type AsUser, startPodman } from "./podman.ts";
import { ofTheSession, reachedServers } from "./reached-servers.ts";
import type { StartedEngine } from "./root-image.ts";

const run = promisify(execFile);
const program = fileURLToPath(new URL("rootless-program.ts", import.meta.url));
const isRoot = process.getuid?.() === 0;
const name = "games";

/** Gives the user ids for its containers, as in /etc/subuid, but where nobody else sees it. */
const withIds = 'mount --bind "$0" /etc/subuid && mount --bind "$0" /etc/subgid && exec "$@"';

/** What it takes to run commands as a user that is not root and owns the folder. */
async function unprivileged({ path }: TemporaryFolder): Promise<AsUser> {
  const { uid, gid } = await findUser(name);
  const ids = join(path, "ids");
  await writeFile(ids, `${name}:200000:65536\n`);
  const places = { HOME: join(path, "home"), XDG_RUNTIME_DIR: join(path, "runtime") };
  for (const place of Object.values(places)) {
    await mkdir(place);
    await chown(place, uid, gid);
  }
  await chown(path, uid, gid);
  const variables = Object.entries(places).map(([key, value]) => `${key}=${value}`);
  return (command) => [
    ...["unshare", "--mount", "sh", "-c", withIds, ids],
    ...["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"],
    ...[
      "env",
      `--chdir=${places.HOME}`,
      ...variables,
      `USER=${name}`,
      `LOGNAME=${name}`,
      ...command,
    ],
  ];
}

/** What a launcher that is not root prints of an agent in the sandbox. */
async function launched(asUser: AsUser, sandbox: string, engine?: StartedEngine): Promise<string> {
  const { asked, request, script } = await reachedServers();
  const given = [sandbox, engine?.image ?? "", request.llm_base_url, script];
  const node = [process.execPath, "--conditions=@proj/source", program, ...given];
  const [file = "", ...args] = asUser(node);
  const { stdout } = await run(file, args, { env: { ...process.env, ...engine?.env } });
  expect(stdout).toContain(`${(await findUser(name)).uid}\nmay write\n`);
  expect(stdout).toMatch(/Read-only file system/);
  expect(stdout).toMatch(/rootless-program\.ts: No such file/);
  expect(asked).toEqual(ofTheSession);
  return stdout;
}

// Where the tests are not root's, all tests of podman and bubblewrap are these.
test.runIf(isRoot)(
  "podman of a user that is not root holds agents, or says what it cannot limit",
  async (context) => {
    const folder = await temporaryFolder();
    const asUser = await unprivileged(folder);
    const podman = await startPodman(folder, asUser);
    const remedy = "install podman and uidmap, and let every user read this folder";
    if (isLeftOut("agents in containers of podman without root", podman !== null, remedy))
      return context.skip();
    if (podman === null) throw new Error("podman runs no container without root here");
    onTestFinished(() => podman[Symbol.asyncDispose]());
    const hasLimits = existsSync("/sys/fs/cgroup/cgroup.controllers");
    expect(await launched(asUser, "podman", podman)).toContain(
      hasLimits ? "limits hold" : "without root it needs cgroups v2",
    );
  },
);

test.runIf(isRoot)("bubblewrap of a user that is not root holds agents", async (context) => {
  const hasProgram = spawnSync("bwrap", ["--version"]).status === 0;
  if (isLeftOut("agents in bubblewrap without root", hasProgram, "install bubblewrap"))
    return context.skip();
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  expect(await launched(await unprivileged(folder), "bubblewrap")).toContain("limits hold");
});
