import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { examineJob } from "@proj/launcher-client";
import { openJobReader, type StoredStep } from "@proj/session-store";
import { startProcess, temporaryFolder } from "@proj/test-kit";
import type { ClientRunner, Complaint } from "./client-runner.ts";
import type { InstalledProgram } from "./programs.ts";

const apps = new URL("../../../apps/launcher/", import.meta.url);
const launcher = fileURLToPath(new URL("src/bin.ts", apps));
const maxMs = 300_000;
/** More than any program takes. */
export const maxProgramSteps = 20;
const unchanged = (recipe: string): string => recipe;

/**
 * Has the launcher run a program on a task with commands, a subagent and a compaction, as far as it has them, on a
 * route with an engine. Every step must continue another or say why not, and every token must reach a trainer.
 */
export async function runProgram(
  program: InstalledProgram,
  { url, db_url }: Pick<ClientRunner, "url" | "db_url">,
): Promise<Complaint> {
  const { name, bin, hasTools = true, hasSubagents = true, edit = unchanged } = program;
  await using folder = await temporaryFolder();
  const task = [{ simulation_id: "it", env_params: { prompt: "Write the steps down." } }];
  await writeFile(join(folder.path, "tasks.yaml"), JSON.stringify(task));
  const recipe = await readFile(new URL(`recipes/${name}.yaml`, apps), "utf8");
  await writeFile(join(folder.path, "recipe.yaml"), edit(recipe));
  const job_id = `tokens-${name}`;
  const args = [
    ...["run", "tasks.yaml", "--agent-file", "recipe.yaml", "--llm-model", "policy"],
    ...["--job-id", job_id, "--db-path", db_url, "--gateway-base-url", url],
    ...["--evaluator-command", "echo 1", "--workdirs", "kept"],
  ];
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}` };
  await using run = startProcess([launcher, ...args], { cwd: folder.path, env });
  if ((await run.exit(maxMs)).code !== 0)
    return `it fails: ${run.stdout.trim().split("\n").at(-1)}`;

  const store = await openJobReader({ storage_type: "sqlite", storage_config: { db_url } });
  try {
    const { environments } = await store.readEnvironments({ job_id });
    const session_id = environments[0]?.session_id ?? "";
    const written = async (file: string): Promise<string> =>
      readFile(join(folder.path, "kept", session_id, "work", file), "utf8").catch(() => "");
    const parts = (await written("steps.txt")).trimEnd().split("\n");
    if (hasTools && !isInOrder(parts)) return `it wrote ${JSON.stringify(parts)}`;
    if (hasSubagents && (await written("small.txt")) !== "mine\n") return "it has no subagent";
    const { steps } = await store.readSteps({ session_id });
    const rendered = steps.flatMap(reasonOf).toSorted();
    if (String(rendered) !== String(program.rendered)) return `it renders: ${rendered.join(", ")}`;
    const { captured, delivered, losses_by_reason } = await examineJob(store, job_id);
    // A summary may be a side call, of which the program says so.
    const aside = losses_by_reason.side_call?.tokens ?? 0;
    return delivered + aside === captured
      ? null
      : `${((100 * delivered) / (captured - aside)).toFixed(1)} %`;
  } finally {
    await store.close();
  }
}

const isInOrder = (parts: readonly string[]): boolean =>
  parts.length > 2 && parts.every((part, at) => part === `part é ${at + 1}`);

/** Why a step's prompt was rendered whole; none if it continues another. */
function reasonOf({ response }: StoredStep): readonly string[] {
  const { engine } = JSON.parse(response ?? "null") ?? {};
  if (engine?.made === "continued") return [];
  return [engine?.reason ?? (engine?.made === "rendered" ? "first" : "unknown")];
}
