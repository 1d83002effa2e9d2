import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "@proj/program";
import {
  type CapturedEnd,
  captureOutput,
  startBundled,
  startProcess,
  temporaryFolder,
} from "@proj/test-kit";
import { points } from "../src/main.ts";

const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

/** The program, as a shell would start it. */
export const startProgram = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ReturnType<typeof startBundled> => startBundled(bin, args, { env });

/** Likewise from its sources, as in a working copy. */
export const startSources = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ReturnType<typeof startProcess> => startProcess([bin, ...args], { env });

/** Runs a command line in this process. */
export const runHere = (...args: readonly string[]): Promise<CapturedEnd> =>
  captureOutput(() => runProgram(points, args));

export interface Workplace extends AsyncDisposable {
  /** The path of a settings file with its own database. */
  readonly config: string;
  /** Writes a file. @returns its path */
  readonly write: (name: string, text: string) => Promise<string>;
}

export async function workplace(more: string = ""): Promise<Workplace> {
  const folder = await temporaryFolder();
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(folder.path, name);
    await writeFile(path, text);
    return path;
  };
  const config = await write(
    "points.yaml",
    `db_url: sqlite://${join(folder.path, "points.db")}
listen_port: 0
job_niceness: 0
${more}
program:
  network: main
  refreshTime: 60
  pointsDecimal: 6
  pointsPerUsd: "1000000"
  swapMultiplier: "1000000"
  swapPairs: [{ tokenX: X, tokenY: Y }]
  promotedPools: []
  quest: { threshold: "5000000", questProvider: Q, questProviderUrl: "https://q.example/" }
`,
  );
  return { config, write, [Symbol.asyncDispose]: () => folder.remove() };
}

/** The JSON line of a swap worth this many dollars. */
export const swapLine = (address: string, dollars: number): string =>
  JSON.stringify({
    ...{ id: `${address}-${dollars}`, type: "swap", time: 1_700_000_000, address },
    ...{ tokenX: "X", tokenY: "Y", usdValue: String(dollars * 1_000_000) },
  });
