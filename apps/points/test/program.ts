import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "@proj/program";
import { startProcess, temporaryFolder } from "@proj/test-kit";
import { vi } from "vitest";
import { points } from "../src/main.ts";

const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

/** The program itself, as a shell would start it. */
export const startProgram = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ReturnType<typeof startProcess> => startProcess([bin, ...args], { env });

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, which is quicker than to start one. */
export async function runHere(...args: readonly string[]): Promise<Ended> {
  const lines = { stdout: "", stderr: "" };
  const collect = (output: keyof typeof lines, end: string) => (text: unknown) => {
    lines[output] += `${text}${end}`;
    return true;
  };
  const spies = [
    vi.spyOn(console, "log").mockImplementation(collect("stdout", "\n")),
    vi.spyOn(console, "error").mockImplementation(collect("stderr", "\n")),
    vi.spyOn(process.stdout, "write").mockImplementation(collect("stdout", "")),
  ];
  try {
    return { code: await runProgram(points, args), ...lines };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

export interface Workplace extends AsyncDisposable {
  /** The path of settings with a database of their own. */
  readonly config: string;
  /** Writes a file and gives its path. */
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

/** A line of a swap worth this many dollars. */
export const swapLine = (address: string, dollars: number): string =>
  JSON.stringify({
    ...{ id: `${address}-${dollars}`, type: "swap", time: 1_700_000_000, address },
    ...{ tokenX: "X", tokenY: "Y", usdValue: String(dollars * 1_000_000) },
  });
