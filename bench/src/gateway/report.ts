import type { BodyName } from "../load/load-protocol.ts";
import { type MachineDescription, machineLines } from "../machine/machine-description.ts";
import { textTable } from "../terminal/text-table.ts";
import type { Measurements } from "./measurements.ts";
import type { Requirement } from "./requirements.ts";

const BODY_TITLES: Readonly<Record<BodyName, string>> = {
  "1k": "Chat bodies of 1 KB",
  "200k": "Growing histories of 150 to 250 KB",
  "1m": "Growing histories around 1 MB",
  stream: "Streamed answers of 50 chunks, sent without pause",
};

/** The report in Markdown, which the terminal shows, too. */
export function report(
  measured: Measurements,
  machine: MachineDescription,
  requirements: readonly Requirement[],
  verdict: (passed: boolean) => string,
): string {
  const sections = [
    machineLines(machine).join("  \n"),
    rowsSection(measured),
    ...bodiesOf(measured).map((body) => bodySection(measured, body)),
    streamsSection(measured),
    requirementsSection(requirements, verdict),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

function rowsSection(measured: Measurements): string {
  const names = new Set(measured.rounds.map(({ row }) => row));
  const lines = measured.rows.flatMap(({ name, description, records }) => {
    const reason = measured.missing.get(name);
    if (reason !== undefined) return [`- \`${name}\`: NOT MEASURED: ${reason}`];
    return names.has(name) ? [`- \`${name}\` records **${records}**: ${description}`] : [];
  });
  return lines.join("\n");
}

function bodySection(measured: Measurements, body: BodyName): string {
  const rounds = measured.rounds.filter((round) => round.body === body);
  const connections = [...new Set(rounds.map((round) => round.connections))].sort((a, b) => a - b);
  const rows = connections.flatMap((count) =>
    measured.rows
      .filter(({ name }) => measured.cell(name, body, count).length > 0)
      .map(({ name }) => bodyLine(measured, name, body, count)),
  );
  const header = [
    "row",
    "connections",
    "requests/s",
    "p50 ms",
    "p99 ms",
    "CPU µs/request",
    "peak MB",
    "speed / bare-parse",
    "CPU / bare-parse",
    "KB on disk/request",
  ];
  return `### ${BODY_TITLES[body]}\n\n${textTable(header, rows)}`;
}

function bodyLine(
  measured: Measurements,
  row: string,
  body: BodyName,
  connections: number,
): string[] {
  const errors = measured.errors(row, body, connections);
  if (errors > 0) {
    const reason = measured.cell(row, body, connections).find(({ first_error }) => first_error);
    return [row, String(connections), `INVALID: ${errors} errors: ${reason?.first_error}`];
  }
  const figure = (name: Parameters<Measurements["figure"]>[0], digits: number): string =>
    decimal(measured.figure(name, row, body, connections), digits);
  const ratio = (name: Parameters<Measurements["ratio"]>[0], baseline: string): string =>
    decimal(measured.ratio(name, row, baseline, body, connections), 2);
  return [
    row,
    String(connections),
    figure("requests_per_second", 0),
    figure("p50_ms", 2),
    figure("p99_ms", 2),
    figure("cpu_us_per_request", 1),
    figure("peak_rss_mb", 0),
    ratio("requests_per_second", "bare-parse"),
    ratio("cpu_us_per_request", "bare-parse"),
    decimal(measured.kilobytesPerRequest(row, body), 1),
  ];
}

function streamsSection(measured: Measurements): string {
  const names = measured.rows
    .map(({ name }) => name)
    .filter(
      (name) => measured.firstChunks.some(({ row }) => row === name) || measured.streamsOf(name),
    );
  if (names.length === 0) return "";
  const header = [
    "row",
    "first chunk later by ms (16 connections)",
    "streams at once: finished",
    "under way together",
    "first chunk p50 ms",
    "peak MB",
    "KB/stream",
  ];
  const lines = names.map((name) => {
    const atOnce = measured.streamsOf(name);
    const finished = atOnce === undefined ? "-" : `${atOnce.finished}/${atOnce.streams}`;
    return [
      name,
      decimal(measured.firstChunkDelayMs(name), 2),
      atOnce?.first_error ? `${finished} (${atOnce.first_error})` : finished,
      decimal(atOnce?.at_once ?? Number.NaN, 0),
      decimal(atOnce?.first_byte_p50_ms ?? Number.NaN, 0),
      decimal(atOnce?.peak_rss_mb ?? Number.NaN, 0),
      decimal(atOnce?.kb_per_stream ?? Number.NaN, 1),
    ];
  });
  return `### Streams\n\n${textTable(header, lines)}`;
}

function requirementsSection(
  requirements: readonly Requirement[],
  verdict: (passed: boolean) => string,
): string {
  const rows = requirements.map(({ text, bound, measured, passed }) => [
    text,
    bound,
    measured ?? "not measured",
    passed === null ? "-" : verdict(passed),
  ]);
  return `### Required\n\n${textTable(["ratio or figure", "bound", "measured", "verdict"], rows)}`;
}

function bodiesOf(measured: Measurements): BodyName[] {
  return [...new Set(measured.rounds.map(({ body }) => body))];
}

function decimal(value: number, digits: number): string {
  return Number.isNaN(value) ? "-" : value.toFixed(digits);
}
