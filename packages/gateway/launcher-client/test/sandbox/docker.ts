import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type TemporaryFolder, temporaryFolder, waitFor, within } from "@proj/test-kit";
import { packRoot, type StartedEngine } from "./root-image.ts";

const run = promisify(execFile);

/** Docker with an image for tests; null: there is no daemon here, and none can be started. */
export async function startDocker(): Promise<StartedEngine | null> {
  const folder = await temporaryFolder();
  const daemon = (await isServed({})) ? null : await startDaemon(folder).catch(() => null);
  const env = daemon === null ? {} : { DOCKER_HOST: hostIn(folder) };
  const image = `localhost/agents-${process.pid}`;
  const docker = (...args: readonly string[]) =>
    run("docker", args, { env: { ...process.env, ...env } });
  const leave = async (): Promise<void> => {
    await docker("image", "rm", "--force", image).catch(() => {});
    if (daemon !== null) await endDaemon(daemon);
    // The machine's network, which dockerd mounts and leaves.
    await run("umount", [join(folder.path, "exec/netns/default")]).catch(() => {});
    await folder.remove();
  };
  try {
    await docker("import", await packRoot(folder), image);
    await docker("run", "--rm", "--network", "host", image, "/bin/sh", "-c", "exit");
  } catch (error) {
    await leave();
    if (daemon !== null || (await isServed({})))
      console.warn(`Docker runs no container here: ${String(error)}`);
    return null;
  }
  return { image, env, [Symbol.asyncDispose]: leave };
}

const hostIn = ({ path }: TemporaryFolder): string => `unix://${join(path, "docker.sock")}`;

const isServed = (env: Readonly<Record<string, string>>): Promise<boolean> =>
  run("docker", ["version"], { env: { ...process.env, ...env } }).then(
    () => true,
    () => false,
  );

/** A daemon of its own for root, without a network: agents use the machine's. */
async function startDaemon(folder: TemporaryFolder): Promise<ChildProcess> {
  const path = (name: string): string => join(folder.path, name);
  await writeFile(path("daemon.json"), "{}");
  const places = [
    ...["--host", hostIn(folder), "--config-file", path("daemon.json"), "--pidfile", path("pid")],
    ...["--data-root", path("data"), "--exec-root", path("exec")],
  ];
  const own = [
    "--storage-driver",
    "vfs",
    "--bridge",
    "none",
    "--iptables=false",
    "--ip-forward=false",
  ];
  const daemon = spawn("dockerd", [...places, ...own], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  daemon.stderr?.on("data", (text: Buffer) => {
    said += text.toString();
  });
  try {
    await once(daemon, "spawn");
    await waitFor(
      () => {
        if (daemon.exitCode !== null) throw new Error(`dockerd ended:\n${said}`);
        return isServed({ DOCKER_HOST: hostIn(folder) });
      },
      "dockerd to answer",
      60_000,
    );
    return daemon;
  } catch (error) {
    console.warn(String(error));
    await endDaemon(daemon);
    throw error;
  }
}

async function endDaemon(daemon: ChildProcess): Promise<void> {
  if (daemon.pid === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
  const gone = once(daemon, "exit");
  daemon.kill();
  await within(gone, "the end of dockerd", 30_000);
}
