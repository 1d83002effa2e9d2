import { ClientRunner, type Complaint } from "./client-runner.ts";
import { type Client, clients, scenarios } from "./clients.ts";
import { type InstalledClients, installClients } from "./install-clients.ts";
import { type ProgramName, programTraits } from "./program-traits.ts";
import { installProgram } from "./programs.ts";
import { maxProgramSteps, runProgram } from "./run-program.ts";
import { writeTable } from "./write-table.ts";

export interface ClientsBenchOptions {
  readonly writesPage: boolean;
}

/** Runs every client in every scenario, and reports the results. @returns the exit status */
export async function runClientsBench({ writesPage }: ClientsBenchOptions): Promise<number> {
  const installed = new Map(
    await Promise.all(
      [...new Set(clients.map(({ kit }) => kit))].map(
        async (kit) => [kit, await installClients(kit)] as const,
      ),
    ),
  );
  await using runner = await ClientRunner.start();
  const rows: string[] = [];
  let failures = 0;
  for (const client of clients) {
    const there = installed.get(client.kit) ?? null;
    if (there === null) continue;
    const complaints = await runner.run(client, there);
    const cells: string[] = [];
    for (const scenario of scenarios) {
      const isPlayed = client.scenarios.includes(scenario);
      const complaint = complaints.get(scenario) ?? null;
      if (complaint !== null) failures += 1;
      const done = scenario === "tokens" ? "100 %" : "yes";
      cells.push(isPlayed ? cellOf(complaint, done) : "–");
    }
    const row = `| ${await titleOf(client, there)} | ${client.api} | ${cells.join(" | ")} |`;
    console.log(row);
    rows.push(row);
  }
  const programs = await runPrograms();
  failures += programs.failures;
  if (writesPage)
    writeTable("clients", [
      ...headOf(["client", "API", ...scenarios]),
      ...rows,
      "",
      ...headOf(["program", "API", "commands", "subagent", "compaction", "tokens"]),
      ...programs.rows,
    ]);
  return failures === 0 ? 0 : 1;
}

/** A row for each of the launcher's agents that can be installed here. */
async function runPrograms() {
  await using runner = await ClientRunner.start(maxProgramSteps);
  const rows: string[] = [];
  let failures = 0;
  for (const name of Object.keys(programTraits) as ProgramName[]) {
    const program = await installProgram(name);
    if (program === null) continue;
    const { version, api, hasTools = true, hasSubagents = true, rendered } = program;
    const complaint = await runProgram(program, runner);
    if (complaint !== null) failures += 1;
    const has = [hasTools, hasSubagents, rendered.includes("compacted")];
    const cells = has.map((is) => (is && complaint === null ? "yes" : "–"));
    const row = `| ${[`${name} ${version}`, api, ...cells, cellOf(complaint, "100 %")].join(" | ")} |`;
    console.log(row);
    rows.push(row);
  }
  return { rows, failures };
}

const headOf = (titles: readonly string[]): readonly string[] => [
  `| ${titles.join(" | ")} |`,
  `|${" --- |".repeat(titles.length)}`,
];

const cellOf = (complaint: Complaint, done: string): string =>
  complaint === null ? done : complaint.replaceAll("|", "\\|").slice(0, 160);

async function titleOf(client: Client, installed: InstalledClients): Promise<string> {
  const versions = await Promise.all(client.packages.map((name) => installed.version(name)));
  const language = client.kit === "javascript" ? "" : " (Python)";
  return `${client.title}${language} ${versions.join(", ")}`;
}
