import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Kit } from "./clients.ts";

const all = fileURLToPath(new URL("../../clients", import.meta.url));
const cache = fileURLToPath(new URL("../../../node_modules/.cache/clients", import.meta.url));
const maxInstallMs = 600_000;

/** Installed clients, ready to run. */
export interface InstalledClients {
  /** The program that runs them, and the file passed to it. */
  readonly command: readonly [program: string, file: string];
  readonly folder: string;
  /** The installed version of a package. */
  version(name: string): Promise<string>;
}

const kits: Readonly<Record<Kit, { readonly sources: string; readonly list: string }>> = {
  javascript: { sources: "javascript", list: "package.json" },
  python: { sources: "python", list: "requirements.txt" },
  "python-litellm": { sources: "python", list: "requirements-litellm.txt" },
};

/**
 * The clients of a kit in a cache folder of this machine, at the versions that its list pins.
 * @param fetches whether to install missing ones, which takes minutes
 * @returns null: they cannot be installed here
 */
export async function installClients(
  kit: Kit,
  fetches: boolean = true,
): Promise<InstalledClients | null> {
  const { sources, list } = kits[kit];
  const isPython = sources === "python";
  const folder = join(cache, kit);
  await mkdir(folder, { recursive: true });
  await cp(join(all, sources), folder, { recursive: true });
  const wanted = await readFile(join(folder, list), "utf8");
  const done = join(folder, ".installed");
  if ((await readFile(done, "utf8").catch(() => "")) !== wanted) {
    if (!fetches) return null;
    try {
      await (isPython ? installWheels(folder, list) : installPackages(folder));
    } catch (error) {
      console.warn(`Cannot install the clients of ${kit}: ${String(error)}`);
      return null;
    }
    await writeFile(done, wanted);
  }
  return {
    folder,
    command: isPython
      ? [join(folder, ".venv/bin/python"), "client.py"]
      : [process.execPath, "client.mjs"],
    version: async (name) => {
      if (isPython) return new RegExp(`^${name}\\b.*==(\\S+)$`, "m").exec(wanted)?.[1] ?? "";
      const file = join(folder, "node_modules", name, "package.json");
      return JSON.parse(await readFile(file, "utf8")).version;
    },
  };
}

const run = promisify(execFile);

async function installPackages(cwd: string): Promise<void> {
  // Some declare older versions of others than these, but run with them.
  const options = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...options, "--loglevel=error"], { cwd, timeout: maxInstallMs });
}

async function installWheels(cwd: string, list: string): Promise<void> {
  await run("python3", ["-m", "venv", ".venv"], { cwd, timeout: maxInstallMs });
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  await run(join(cwd, ".venv/bin/python"), [...pip, "--requirement", list], {
    cwd,
    timeout: maxInstallMs,
  });
}
