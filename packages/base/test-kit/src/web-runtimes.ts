import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { bundleWithEsbuild } from "./bundle.ts";
import { npmProgram } from "./npm-program.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Neither Node nor a browser. */
export interface WebRuntime {
  readonly name: string;
  readonly version: string;
  /** The folder of its program; null: it cannot be installed here. */
  readonly bin: string | null;
  /**
   * Calls `told(argument)` of a module, with access to nothing but the network, and resolves with its result.
   * @param script path of the module
   */
  tell(script: string, argument: string): Promise<unknown>;
}

const run = promisify(execFile);
const condition = "--conditions=@proj/source";

/** Pinned: what they support changes between versions. */
const runtimes = [
  {
    ...{ name: "deno", version: "2.9.6" },
    print: (bin: string, script: string, argument: string) =>
      printed(script, argument, [`${bin}/deno`, "run", condition, "--no-prompt", "--allow-net"]),
  },
  {
    ...{ name: "bun", version: "1.4.5" },
    print: (bin: string, script: string, argument: string) =>
      printed(script, argument, [`${bin}/bun`, condition, "run"]),
  },
  { ...{ name: "workerd", version: "1.20261117.1" }, print: printedByWorker },
];

/** Deno, Bun and the runtime of Cloudflare's Workers, installed unless they are there already. */
export const webRuntimes = (): Promise<readonly WebRuntime[]> =>
  Promise.all(
    runtimes.map(async ({ name, version, print }) => {
      const bin = await npmProgram(name, version);
      const tell: WebRuntime["tell"] = async (script, argument) =>
        JSON.parse(await print(bin ?? "", script, argument));
      return { name, version, bin, tell };
    }),
  );

/** Feeds the code to the program's standard input, in the script's folder so that it finds the packages there. */
async function printed(
  script: string,
  argument: string,
  [program = "", ...args]: readonly string[],
): Promise<string> {
  const running = run(program, [...args, "-"], { cwd: dirname(script) });
  const call = `told(${JSON.stringify(argument)})`;
  running.child.stdin?.end(
    `import { told } from ${JSON.stringify(pathToFileURL(script).href)};\nconsole.log(JSON.stringify(await ${call}));\n`,
  );
  return (await running).stdout;
}

/** Bundled, as Workers are; the runtime's own test command calls the module and exits. */
async function printedByWorker(bin: string, script: string, argument: string): Promise<string> {
  await using folder = await temporaryFolder();
  const entry = `
    import { told } from ${JSON.stringify(script)};
    export default {
      async test() { console.log(JSON.stringify(await told(${JSON.stringify(argument)}))); },
    };`;
  const { code } = await bundleWithEsbuild(entry, dirname(script));
  await writeFile(join(folder.path, "worker.js"), code);
  const config = `
    using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (services = [
      (name = "main", worker = (
        modules = [(name = "worker.js", esModule = embed "worker.js")],
        compatibilityDate = "2026-01-01",
      )),
      (name = "internet", network = (allow = ["public", "private"])),
    ]);`;
  await writeFile(join(folder.path, "worker.capnp"), config);
  return (await run(`${bin}/workerd`, ["test", "worker.capnp"], { cwd: folder.path })).stdout;
}
