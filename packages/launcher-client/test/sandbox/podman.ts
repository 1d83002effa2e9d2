import { execFile } from "node:child_process";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type TemporaryFolder, temporaryFolder } from "@proj/test-kit";

const run = promisify(execFile);

export interface Podman extends AsyncDisposable {
  /** An image that has the programs below and nothing else. */
  readonly image: string;
  /** Variables by which podman finds its configuration. */
  readonly env: Readonly<Record<string, string>>;
}

/** What scripts of tests call besides the shell's own commands. */
const programs = ["sh", "cat", "env", "head", "id", "ls", "setsid", "sleep", "tail", "touch"];

/** podman with storage and an image of its own; null: it is not here, or runs no container here. */
export async function startPodman(): Promise<Podman | null> {
  const folder = await temporaryFolder();
  // A machine with both versions of cgroups at once is refused by crun, and not by runc.
  for (const runtime of ["crun", "runc"]) {
    const podman = await configure(folder, runtime).catch(() => null);
    if (podman !== null) return podman;
  }
  await folder.remove();
  return null;
}

async function configure(folder: TemporaryFolder, runtime: string): Promise<Podman> {
  const path = (name: string): string => join(folder.path, name);
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
    `[storage]\ndriver = "vfs"\ngraphroot = "${path("graph")}"\nrunroot = "${path("run")}"\n`,
  );
  const options = { env: { ...process.env, ...env } };
  await makeRoot(path("root"));
  await run("tar", ["-C", path("root"), "-cf", path("root.tar"), "."]);
  const image = "localhost/agents";
  await run("podman", ["import", "--quiet", path("root.tar"), image], options);
  await run(
    "podman",
    ["run", "--rm", "--network", "host", image, "/bin/sh", "-c", "exit"],
    options,
  );
  return {
    image,
    env,
    async [Symbol.asyncDispose]() {
      await run("podman", ["rm", "--all", "--force"], options);
      await folder.remove();
    },
  };
}

/** A root folder with the machine's own programs and their libraries. */
async function makeRoot(root: string): Promise<void> {
  await rm(root, { recursive: true, force: true });
  for (const folder of ["bin", "tmp", "var/tmp", "etc"])
    await mkdir(join(root, folder), { recursive: true });
  for (const program of programs) {
    const { stdout: file } = await run("sh", ["-c", `command -v ${program}`]);
    await copyFile(file.trim(), join(root, "bin", basename(file.trim())));
    const { stdout: libraries } = await run("ldd", [file.trim()]);
    for (const [, library = ""] of libraries.matchAll(/(\/\S+) \(0x/g)) {
      await mkdir(join(root, dirname(library)), { recursive: true });
      await copyFile(library, join(root, library));
    }
  }
}
