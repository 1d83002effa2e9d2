import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TemporaryFolder } from "@proj/test-kit";
import { packRoot, type StartedEngine } from "./root-image.ts";

const run = promisify(execFile);

/** A command, and what it takes to run it as somebody else. */
export type AsUser = (command: readonly string[]) => readonly string[];

/**
 * podman with storage and an image of its own; null: it is not here, or runs no container here.
 * @param asUser how podman is run
 */
export async function startPodman(
  folder: TemporaryFolder,
  asUser: AsUser = (command) => command,
): Promise<StartedEngine | null> {
  // Without an overlay, which not every file system can have, each container is a copy of its image.
  for (const driver of ["overlay", "vfs"]) {
    // A machine with both versions of cgroups at once is refused by crun, and not by runc.
    for (const runtime of ["crun", "runc"]) {
      const podman = await configure(folder, driver, runtime, asUser).catch(() => null);
      if (podman !== null) return podman;
    }
  }
  await folder.remove();
  return null;
}

async function configure(
  folder: TemporaryFolder,
  driver: string,
  runtime: string,
  asUser: AsUser,
): Promise<StartedEngine> {
  const path = (name: string): string => join(folder.path, name);
  const graph = path(`graph-${driver}`);
  const env = {
    CONTAINERS_CONF: path("containers.conf"),
    CONTAINERS_STORAGE_CONF: path("storage"),
  };
  // podman asks for the system's largest limits, which a process with fewer rights cannot have.
  await writeFile(
    env.CONTAINERS_CONF,
    `[engine]\nruntime = "${runtime}"\n[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n`,
  );
  await writeFile(
    env.CONTAINERS_STORAGE_CONF,
    `[storage]\ndriver = "${driver}"\ngraphroot = "${graph}"\nrunroot = "${path(`run-${driver}`)}"\n`,
  );
  const options = { env: { ...process.env, ...env } };
  const podman = async (...args: readonly string[]): Promise<string> => {
    const [file = "", ...rest] = asUser(["podman", ...args]);
    return (await run(file, rest, options)).stdout;
  };
  const image = "localhost/agents";
  await podman("import", "--quiet", await packRoot(folder), image);
  await podman("run", "--rm", "--network", "host", image, "/bin/sh", "-c", "exit");
  return {
    image,
    env,
    async [Symbol.asyncDispose]() {
      // podman counts those of builds that were cut off apart, and their file systems stay mounted.
      const listed = await podman("ps", "--all", "--external", "--quiet");
      const left = listed.split(/\s+/).filter(Boolean);
      if (left.length > 0) await podman("rm", "--force", "--ignore", "--time", "0", ...left);
      await folder.remove();
    },
  };
}
