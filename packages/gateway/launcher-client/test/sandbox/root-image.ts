import { execFile } from "node:child_process";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { TemporaryFolder } from "@proj/test-kit";

const run = promisify(execFile);

/** An engine for containers that works here. */
export interface StartedEngine extends AsyncDisposable {
  /** An image that has the programs below and nothing else. */
  readonly image: string;
  /** Variables by which the engine's program finds its configuration and its service. */
  readonly env: Readonly<Record<string, string>>;
}

/** What scripts of tests call besides the shell's own commands. */
const programs = [
  "sh",
  "bash",
  "cat",
  "chmod",
  "cp",
  "env",
  "grep",
  "head",
  "id",
  "ln",
  "ls",
  "mkdir",
  "rm",
  "setsid",
  "sleep",
  "tail",
  "tar",
  "touch",
];

/** A root folder with the machine's own programs and their libraries, as a file that engines import. */
export async function packRoot(folder: TemporaryFolder): Promise<string> {
  const root = join(folder.path, "root");
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
  await run("tar", ["-C", root, "-cf", `${root}.tar`, "."]);
  return `${root}.tar`;
}
