import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isLeftOut, npmProgram, temporaryFolder } from "@proj/test-kit";
import { bundleWithEsbuild } from "@proj/test-kit/bundle";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedStore, serveStore, swap } from "./served-store.ts";

const script = fileURLToPath(new URL("runtimes/print-points.ts", import.meta.url));
const run = promisify(execFile);
const condition = "--conditions=@proj/source";

/** Each is given nothing but the network. */
const runtimes = [
  {
    ...{ name: "deno", version: "2.9.6" },
    read: async (bin: string, url: string): Promise<string> =>
      (await run(`${bin}/deno`, ["run", condition, "--no-prompt", "--allow-net", script, url]))
        .stdout,
  },
  {
    ...{ name: "bun", version: "1.4.5" },
    read: async (bin: string, url: string): Promise<string> =>
      (await run(`${bin}/bun`, [condition, script, url])).stdout,
  },
  { ...{ name: "workerd", version: "1.20261117.1" }, read: readInWorker },
];

const installed = await Promise.all(
  runtimes.map(async (runtime) => ({
    ...runtime,
    bin: await npmProgram(runtime.name, runtime.version),
  })),
);

/** In a Worker, bundled as they are: its own test command calls it and ends. */
async function readInWorker(bin: string, url: string): Promise<string> {
  await using folder = await temporaryFolder();
  const entry = `
    import { readPoints } from "./read-points.ts";
    export default {
      async test() { console.log(JSON.stringify(await readPoints(${JSON.stringify(url)}))); },
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

let served: ServedStore;
beforeAll(async () => {
  const events = Array.from({ length: 60 }, (_, index) => swap(`a${index + 1}`, index + 1));
  served = await serveStore([...events, swap("large", 12_345_678_901_234_567_890n)]);
});
afterAll(() => served?.[Symbol.asyncDispose]());

describe.each(installed)("in $name $version", ({ name, bin, read }) => {
  const leftOut = isLeftOut(
    `points-client in ${name}`,
    bin !== null,
    "npm and its registry are needed",
  );

  test.skipIf(leftOut)("the client reads a real service, and tells its failures", async () => {
    const told = await read(bin ?? "", served.url);
    expect(JSON.parse(told)).toEqual({
      ...{ own: 55, isSame: true, ranks: 61, failed: "ConnectionError", aborted: true },
      closed: expect.stringContaining("is closed"),
      refused: expect.stringContaining("answered 400"),
      points: "12345678901234567890000000",
      shown: "12,345,678,901,234,567,890",
    });
  });
});
