import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentRecipe, callOf, readRecipe } from "@proj/launcher-client";
import { startDemoUpstream, temporaryFolder } from "@proj/test-kit";
import { parse } from "yaml";
import { GatewayProcess } from "../storms/gateway-process.ts";
import { startErrorProxy } from "./error-proxy.ts";
import { runToEnd } from "./run-to-end.ts";
import { writeTable } from "./write-table.ts";

/** The launcher's recipes, and those of programs that are only measured. */
const folders = ["../../../apps/launcher/recipes", "../../clients/programs"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);
const maxMs = 60_000;
/** The status of a shell that does not find the program. */
const notFound = 127;

/** What ends a program: its session was closed before its first call, or it has no steps left. */
const endings = ["closed", "budget"] as const;
const statuses = [400, 403] as const;

export interface EndingsBenchOptions {
  readonly writesPage: boolean;
  /** Names of recipes; none: all. */
  readonly of: readonly string[];
}

/**
 * Runs every program with a recipe that is on the PATH against a closed session and a spent budget, and
 * counts its requests from the first refusal on, with the gateway's status and with 403 in its place.
 */
export async function runEndingsBench({ writesPage, of }: EndingsBenchOptions): Promise<number> {
  await using folder = await temporaryFolder();
  await using upstream = await startDemoUpstream({ toolRounds: 1_000 });
  const endpoints = ["chat_completions", "responses", "messages", "generate_content"];
  await using gateway = await GatewayProcess.start(folder.path, {
    max_steps: 0,
    llm_routes: { demo: { base_url: upstream.url, endpoints } },
  });
  const rows: string[] = [];
  const recipes = folders
    .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
    .map((file) => readRecipe(parse(readFileSync(file, "utf8"))))
    .filter(({ name }) => of.length === 0 || of.includes(name))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  for (const recipe of recipes) {
    const { name } = recipe;
    const cells: string[] = [];
    for (const ending of endings)
      for (const status of statuses) {
        const cell = await endOf(recipe, ending, status, gateway.url);
        if (cell !== null) cells.push(cell);
      }
    if (cells.length === 0) {
      console.log(`${name}: not found`);
      continue;
    }
    const row = `| ${name} ${await versionOf(recipe)} | ${cells.join(" | ")} |`;
    console.log(row);
    rows.push(row);
  }
  if (writesPage)
    writeTable("endings", [
      "| program | closed: 400 | closed: 403 | budget: 400 | budget: 403 |",
      "| --- | --- | --- | --- | --- |",
      ...rows,
    ]);
  return rows.length > 0 ? 0 : 1;
}

/** Null: the program is not there, or lacks a part: it asks nothing. */
async function endOf(
  recipe: AgentRecipe,
  ending: (typeof endings)[number],
  status: number,
  gatewayUrl: string,
): Promise<string | null> {
  await using folder = await temporaryFolder();
  await using proxy = await startErrorProxy(gatewayUrl, status);
  const session_id = `${ending}-${status}-${recipe.name}`;
  const base = `/v1/sessions/${session_id}`;
  if (ending === "closed") await fetch(`${gatewayUrl}${base}/close`, { method: "POST" });
  const [home, work, tmp] = ["home", "work", "tmp"].map((name) => join(folder.path, name));
  if (home === undefined || work === undefined || tmp === undefined) throw new Error("no folder");
  const request = {
    ...{ session_id, job_id: "endings", simulation_id: recipe.name, attempt: 1, env_name: null },
    ...{ group_id: null, env_params: null, gateway_base_url: proxy.url, llm_model: "demo" },
    ...{ llm_base_url: `${proxy.url}${base}`, llm_api_key: null },
  };
  const { files, env, command } = callOf(recipe, request, { home, work, tmp });
  await Promise.all([work, tmp].map((path) => mkdir(path, { recursive: true })));
  for (const [path, text] of Object.entries({ ...files, prompt: "Write hello into hello.txt." })) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  const began = performance.now();
  const code = await runToEnd(command, { ...env, HOME: home, TMPDIR: tmp }, work, maxMs);
  if (code === notFound) return null;
  const { stops, errors } = proxy.answered;
  if (stops + errors === 0) return null;
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  const told = ending === "closed" ? `${errors}` : `${stops} + ${errors}`;
  return code === null ? `${told}, and on` : `${told}, ${seconds} s`;
}

async function versionOf({ command, install }: AgentRecipe): Promise<string> {
  const program = /^[A-Z_]+=/.test(command) ? "" : (command.trim().split(/\s+/)[0] ?? "");
  const [, library] = /^pip install ([\w-]+)/.exec(install ?? "") ?? [];
  const ofLibrary = `python3 -c 'import importlib.metadata as it; print(it.version("${library}"))'`;
  const ask = program === "python3" ? ofLibrary : `${program} --version`;
  await using folder = await temporaryFolder();
  const path = join(folder.path, "version");
  await runToEnd(`${ask} > ${path} 2>&1 < /dev/null`, {}, folder.path, 20_000);
  return /\d+(?:\.\d+)+/.exec(readFileSync(path, "utf8"))?.[0] ?? "";
}
