import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { exitCode } from "@proj/program";
import { LoadGenerator } from "../load/load-generator.ts";
import type { BodyName } from "../load/load-protocol.ts";
import type { CoreAssignment } from "../machine/cores.ts";
import { prepareMachine } from "../machine/prepare-machine.ts";
import { writeResults } from "../results.ts";
import { rowsBefore } from "../servers/gateway-rows.ts";
import { ROWS } from "../servers/rows.ts";
import type { ServerRow } from "../servers/server-row.ts";
import { type ServerSetContext, startServers } from "../servers/server-set.ts";
import { startUpstream } from "../servers/upstream-row.ts";
import { verdict, warning } from "../terminal/progress.ts";
import type { GatewayBenchOptions } from "./gateway-bench-options.ts";
import { Measurements } from "./measurements.ts";
import { report } from "./report.ts";
import { checkRequirements } from "./requirements.ts";
import { RoundRunner } from "./round-runner.ts";

/** Returns the exit status: 0, 1 if a bound is missed or a cell has errors, 3 if the machine is busy. */
export async function runGatewayBench(options: GatewayBenchOptions): Promise<number> {
  const machine = await prepareMachine(options.force);
  if (machine === null) return exitCode.failed;
  const startedAt = new Date().toISOString();
  const all = options.before === null ? ROWS : [...ROWS, ...rowsBefore(options.before)];
  const measured = new Measurements(all);
  const rows = await presentRows(options, measured);
  await measureAll(options, rows, machine.cores, measured);

  const requirements = checkRequirements(measured, machine.description.fdatasync_ms);
  console.log(`\n${report(measured, machine.description, requirements, verdict)}`);
  const { rounds, firstChunks, streams, disk } = measured;
  const results = {
    started_at: startedAt,
    machine: machine.description,
    loaded_machine: machine.loaded,
    options,
    missing: Object.fromEntries(measured.missing),
    requirements,
    rounds,
    first_chunks: firstChunks,
    streams,
    disk,
  };
  writeResults("gateway", results);
  if (options.writeReadme) {
    const plain = (passed: boolean): string => (passed ? "PASS" : "FAIL");
    writeReadmeTable(report(measured, machine.description, requirements, plain));
  }
  const missed = requirements.some(({ passed }) => passed === false);
  return missed || rounds.some(({ errors }) => errors > 0) ? 1 : 0;
}

async function presentRows(
  options: GatewayBenchOptions,
  measured: Measurements,
): Promise<ServerRow[]> {
  const present: ServerRow[] = [];
  for (const row of measured.rows) {
    if (ROWS.includes(row) && !options.rows.includes(row.name)) continue;
    const reason = await row.reasonMissing();
    if (reason === null) present.push(row);
    else leaveOut(measured, row.name, reason);
  }
  return present;
}

function leaveOut(measured: Measurements, row: string, reason: string): void {
  warning(`${row} is left out: ${reason}`);
  // A line of a list; what a program says last is why it ended.
  measured.missing.set(row, reason.trim().split("\n").at(-1) ?? "");
}

async function measureAll(
  options: GatewayBenchOptions,
  rows: readonly ServerRow[],
  cores: CoreAssignment,
  measured: Measurements,
): Promise<void> {
  const upstream = await startUpstream(cores.upstream);
  const load = await LoadGenerator.start(cores.load);
  const runner = new RoundRunner(options, load, measured, countRounds(options, rows.length));
  try {
    for (const body of options.bodies)
      for (let start = 0; start < options.starts; start++)
        await measureBody(
          { options, rows, body, start },
          runner,
          { upstream, cores: cores.server },
          measured,
        );
  } finally {
    await load.stop();
    await upstream.stop();
  }
}

interface BodyRun {
  readonly options: GatewayBenchOptions;
  readonly rows: readonly ServerRow[];
  readonly body: BodyName;
  /** Which of the body's starts. */
  readonly start: number;
}

/**
 * Servers are restarted for each body, so that no cell inherits another body's memory, and more often if the
 * options say so: a process may be a few percent faster or slower for as long as it runs.
 */
async function measureBody(
  { options, rows, body, start }: BodyRun,
  runner: RoundRunner,
  context: ServerSetContext,
  measured: Measurements,
): Promise<void> {
  const servers = await startServers(rows, context, body, (row, reason) =>
    leaveOut(measured, row, reason),
  );
  try {
    const { started } = servers;
    await runner.warmUp(started, body);
    const { repetitions, starts } = options;
    for (let repetition = start; repetition < repetitions[body]; repetition += starts)
      await runner.rounds(started, body, repetition);
    if (start < starts - 1) return;
    if (body === "stream") {
      await runner.firstChunks(started);
      const { streams } = options;
      if (streams !== null)
        await runner.streamsAtOnce(
          started.filter(({ row }) => !streams.requiredOnly || row.name.startsWith("gateway-")),
          streams,
        );
    }
    for (const { row, server } of started) {
      if (server.database === undefined) continue;
      const kilobytes_per_request = kilobytesPerRow(server.database);
      measured.disk.push({ row: row.name, body, kilobytes_per_request });
    }
  } finally {
    await servers.stop();
  }
}

function countRounds(options: GatewayBenchOptions, rows: number): number {
  const repetitions = options.bodies.reduce((sum, body) => sum + options.repetitions[body], 0);
  return repetitions * options.connections.length * rows;
}

/** The size of a row of `session_steps` in a database in use, including all its indexes. */
function kilobytesPerRow(file: string): number {
  const database = new DatabaseSync(file);
  try {
    // Pages that are only in the WAL are counted, too.
    const sizes = database.prepare(
      `select page_count * page_size as bytes, (select count(*) from stored_steps) as rows
       from pragma_page_count, pragma_page_size`,
    );
    const { bytes, rows } = { bytes: 0, rows: 1, ...sizes.get() };
    return Number(bytes) / Number(rows) / 1024;
  } finally {
    database.close();
  }
}

const README = fileURLToPath(new URL("../../README.md", import.meta.url));
const BEGIN = "<!-- figures: begin (npm run bench -- gateway --write-readme) -->";

/** Replaces the text between the markers of `bench/README.md`. */
function writeReadmeTable(markdown: string): void {
  const readme = readFileSync(README, "utf8");
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf("<!-- figures: end -->", begin);
  if (begin < 0 || end < begin) throw new Error(`bench/README.md has lost its markers: ${BEGIN}`);
  const measuredOn = `Measured ${new Date().toISOString().slice(0, 10)}.`;
  const kept = [readme.slice(0, begin + BEGIN.length), readme.slice(end)];
  writeFileSync(README, kept.join(`\n\n${measuredOn}\n\n${markdown}\n\n`));
}
