import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isLeftOut } from "./left-out.ts";

const run = promisify(execFile);
const cache = fileURLToPath(new URL("../../../../node_modules/.cache/python", import.meta.url));
const installTimeoutMs = 600_000;

/** A Python with packages from PyPI. */
export interface PythonEnvironment {
  /** The folder of its programs. */
  readonly bin: string;
  /** Runs a program with these arguments. @returns what it printed @throws Error it failed; with what it printed */
  run(program: string, ...args: readonly string[]): Promise<string>;
  /** Runs the program in a file, as `run` does. */
  runFile(file: string, ...args: readonly string[]): Promise<string>;
}

export interface PythonOptions {
  /** `packages` has all that is needed: dependencies and bounds on Python's version are ignored. @default false */
  readonly isWhole?: boolean;
  /** A virtual environment whose packages it also has. */
  readonly on?: string;
  /** How long a program may run. @default 100_000 */
  readonly timeoutMs?: number;
  /** The oldest version that the packages run on: 12 is Python 3.12. @default whatever python3 is */
  readonly minMinor?: number;
  /** The newest one. @default any */
  readonly maxMinor?: number;
}

/**
 * Makes a virtual environment in a cache folder of this machine, unless it is there already.
 * @param packages pinned, such as `pyarrow==26.0.1`; none: Python alone
 * @returns null: python3 or PyPI is not available here
 */
export async function pythonWith(
  packages: readonly string[],
  { isWhole = false, on, timeoutMs = 100_000, minMinor = 0, maxMinor = 99 }: PythonOptions = {},
): Promise<PythonEnvironment | null> {
  const name = createHash("sha256")
    .update([...packages, ...(on === undefined ? [] : [on])].join("\n"))
    .digest("hex")
    .slice(0, 16);
  const folder = join(cache, name);
  const python = join(folder, "bin/python");
  if (!existsSync(python)) {
    const whole = isWhole ? ["--no-deps", "--ignore-requires-python"] : [];
    const installing = pythonFrom(minMinor, maxMinor).then((from) =>
      install(from, folder, [...whole, ...packages], on),
    );
    await installing.catch((error: unknown) =>
      console.warn(`Cannot install ${packages.join(", ")}: ${String(error).slice(0, 500)}`),
    );
  }
  if (!existsSync(python)) return null;
  const start = async (args: readonly string[]): Promise<string> => {
    const options = { timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 };
    return (await run(python, args, options)).stdout;
  };
  return {
    bin: join(folder, "bin"),
    run: (program, ...args) => start(["-c", program, ...args]),
    runFile: (file, ...args) => start([file, ...args]),
  };
}

/** How to get packages from PyPI. */
export const pypiRemedy = "on Debian: apt-get install python3-venv; PyPI is needed";

/** Whether a suite of Python readers has to be left out; if so, prints it. */
export function isLeftOutWithoutPython(suite: string, python: PythonEnvironment | null): boolean {
  return isLeftOut(suite, python !== null, pypiRemedy);
}

/** The first of this machine's Pythons within these bounds; pyenv has only links to its own on the path. */
async function pythonFrom(minMinor: number, maxMinor: number): Promise<string> {
  const shims = (process.env.PATH ?? "").split(delimiter).filter((at) => basename(at) === "shims");
  const versions = globSync(shims.map((folder) => join(folder, "../versions/*/bin/python")));
  const names = ["python3", "python3.14", "python3.13", "python3.12"];
  const test = `import sys; sys.exit(not (3, ${minMinor}) <= sys.version_info[:2] <= (3, ${maxMinor}))`;
  for (const python of [...names, ...versions])
    if (await run(python, ["-c", test]).then(Boolean, () => false)) return python;
  throw new Error(`there is no Python from 3.${minMinor} to 3.${maxMinor}`);
}

/** Under another name first, so that an interrupted one is never used and two at once do no harm. */
async function install(
  python: string,
  folder: string,
  packages: readonly string[],
  on: string | undefined,
): Promise<void> {
  await mkdir(cache, { recursive: true });
  const unfinished = `${folder}.${process.pid}`;
  try {
    await run(python, ["-m", "venv", unfinished], { timeout: installTimeoutMs });
    if (on !== undefined) {
      const [own] = globSync("lib/python3*/site-packages", { cwd: unfinished });
      const [other] = globSync(join(on, "lib/python3*/site-packages"));
      if (own === undefined || other === undefined) throw new Error(`${on} has no packages`);
      await writeFile(join(unfinished, own, "below.pth"), `${other}\n`);
    }
    // Python compiles what is run.
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"];
    if (packages.length > 0)
      await run(join(unfinished, "bin/python"), [...pip, ...packages], {
        timeout: installTimeoutMs,
      });
    // Programs name their Python by its path.
    for (const name of globSync("bin/*", { cwd: unfinished })) {
      const program = await readFile(join(unfinished, name), "latin1");
      if (program.startsWith(`#!${unfinished}/`))
        await writeFile(join(unfinished, name), program.replace(unfinished, folder), "latin1");
    }
    await writeFile(join(unfinished, "packages.txt"), `${packages.join("\n")}\n`);
    await rename(unfinished, folder).catch((error: unknown) => {
      // Another test has made the same environment meanwhile.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
