import { ClientRunner, type Complaint } from "./client-runner.ts";
import { type Client, clients, scenarios } from "./clients.ts";
import { type InstalledClients, installClients } from "./install-clients.ts";
import { installedPrograms, runProgram } from "./programs.ts";
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
  for (const program of await installedPrograms()) {
    const complaint = await runProgram(program, runner);
    if (complaint !== null) failures += 1;
    const cells = scenarios.map((scenario) => {
      if (scenario === "tokens") return cellOf(complaint, "100 %");
      return scenario === "tools" && complaint === null ? "yes" : "–";
    });
    const row = `| ${program.name} ${program.version} | ${program.api} | ${cells.join(" | ")} |`;
    console.log(row);
    rows.push(row);
  }
  if (writesPage)
    writeTable("clients", [
      `| client | API | ${scenarios.join(" | ")} |`,
      `| --- | --- |${" --- |".repeat(scenarios.length)}`,
      ...rows,
    ]);
  return failures === 0 ? 0 : 1;
}

const cellOf = (complaint: Complaint, done: string): string =>
  complaint === null ? done : complaint.replaceAll("|", "\\|").slice(0, 160);

async function titleOf(client: Client, installed: InstalledClients): Promise<string> {
  const versions = await Promise.all(client.packages.map((name) => installed.version(name)));
  const language = client.kit === "javascript" ? "" : " (Python)";
  return `${client.title}${language} ${versions.join(", ")}`;
}
