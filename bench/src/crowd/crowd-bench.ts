import { LoadGenerator } from "../load/load-generator.ts";
import type { RoundResult, RoundSpec } from "../load/load-protocol.ts";
import { prepareMachine } from "../machine/prepare-machine.ts";
import { writeResults } from "../results.ts";
import { bareParseRow } from "../servers/bare-proxy-rows.ts";
import { gatewayBoundRow, gatewayUnboundRow } from "../servers/gateway-rows.ts";
import { type ServerSet, type StartedRow, startServers } from "../servers/server-set.ts";
import { startUpstream } from "../servers/upstream-row.ts";
import { median, shuffled } from "../statistics.ts";
import { progress } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";

export interface CrowdBenchOptions {
  readonly repetitions: number;
  /** Length of a round, in milliseconds. */
  readonly windowMs: number;
  readonly force: boolean;
}

/**
 * Possible causes why many connections cost more, removed one at a time. A single generator follows a burst of
 * answers with a burst of requests: two of them break that rhythm. With more requests in flight, more of their
 * objects survive a collection of the young generation and are copied: a larger generation is collected less often.
 */
const variants = ["as it is", "two generators", "young generation of 64 MB"] as const;
type Variant = (typeof variants)[number];

interface CrowdRecord {
  readonly variant: Variant;
  readonly row: string;
  readonly connections: number;
  readonly requests_per_second: number;
  readonly cpu_us_per_request: number;
  readonly errors: number;
}

const rows = [bareParseRow, gatewayUnboundRow, gatewayBoundRow];
const [few, many] = [16, 64];
const WARM_UP_MS = 5000;
const RAMP_MS = 100;

export async function runCrowdBench(options: CrowdBenchOptions): Promise<number> {
  const machine = await prepareMachine(options.force);
  if (machine === null) return 2;
  const { cores, description } = machine;
  const upstream = await startUpstream(cores.upstream);
  const loads = [await LoadGenerator.start(cores.load), await LoadGenerator.start(cores.load)];
  const context = { upstream, cores: cores.server };
  const usual = await startServers(rows, context, "1k", fail);
  const environment = { NODE_OPTIONS: "--max-semi-space-size=64" };
  const roomy = await startServers(rows, { ...context, environment }, "1k", fail);
  const records: CrowdRecord[] = [];
  try {
    for (const { target } of [...usual.started, ...roomy.started])
      await together(loads.slice(0, 1), { target, connections: few, windowMs: WARM_UP_MS });
    for (let repetition = 0; repetition < options.repetitions; repetition++)
      for (const variant of shuffled(variants))
        for (const connections of shuffled([few, many]))
          for (const started of shuffled(serversOf(variant, usual, roomy)))
            records.push(await cell(loads, started, variant, connections, options.windowMs));
  } finally {
    await Promise.all([usual.stop(), roomy.stop()]);
    await Promise.all([...loads.map((load) => load.stop()), upstream.stop()]);
  }
  writeResults("crowd", { machine: description, options, records }, null);
  console.log(`\n${table(records)}`);
  return records.some(({ errors }) => errors > 0) ? 1 : 0;
}

function fail(row: string, reason: string): never {
  throw new Error(`${row} did not start: ${reason}`);
}

const serversOf = (variant: Variant, usual: ServerSet, roomy: ServerSet): readonly StartedRow[] =>
  variant === "young generation of 64 MB" ? roomy.started : usual.started;

async function cell(
  loads: readonly LoadGenerator[],
  { row, target }: StartedRow,
  variant: Variant,
  connections: number,
  windowMs: number,
): Promise<CrowdRecord> {
  const generators = variant === "two generators" ? loads : loads.slice(0, 1);
  const results = await together(generators, { target, connections, windowMs });
  const record = {
    variant,
    row: row.name,
    connections,
    requests_per_second: results.reduce((sum, each) => sum + each.requests_per_second, 0),
    // Each generator measured the server's total CPU, but only its own answers.
    cpu_us_per_request: 1 / results.reduce((sum, each) => sum + 1 / each.cpu_us_per_request, 0),
    errors: results.reduce((sum, { errors }) => sum + errors, 0),
  };
  progress(
    `${variant}, ${connections} connections, ${row.name}: ${record.requests_per_second.toFixed(0)}/s, ` +
      `${record.cpu_us_per_request.toFixed(1)} µs`,
  );
  return record;
}

/** The connections are divided among the generators, which begin at the same moment. */
function together(
  generators: readonly LoadGenerator[],
  { connections, ...spec }: Pick<RoundSpec, "target" | "connections" | "windowMs">,
): Promise<readonly RoundResult[]> {
  const each = connections / generators.length;
  return Promise.all(
    generators.map((load) =>
      load.round({ ...spec, body: "1k", connections: each, rampMs: RAMP_MS }),
    ),
  );
}

function table(records: readonly CrowdRecord[]): string {
  const lines = variants.flatMap((variant) =>
    rows.map(({ name }) => {
      const figure = (connections: number, of: (record: CrowdRecord) => number): number =>
        median(
          records
            .filter((each) => each.variant === variant && each.row === name)
            .filter((each) => each.connections === connections)
            .map(of),
        );
      const speeds = [few, many].map((count) => figure(count, (each) => each.requests_per_second));
      const costs = [few, many].map((count) => figure(count, (each) => each.cpu_us_per_request));
      const ratio = ([one = Number.NaN, other = Number.NaN]: number[]): string =>
        (other / one).toFixed(2);
      return [
        `${name}, ${variant}`,
        ...speeds.map((speed) => speed.toFixed(0)),
        ratio(speeds),
        ...costs.map((cost) => cost.toFixed(1)),
        ratio(costs),
      ];
    }),
  );
  const header = [
    "row",
    `requests/s at ${few}`,
    `at ${many}`,
    "ratio",
    `CPU µs at ${few}`,
    `at ${many}`,
    "ratio",
  ];
  return textTable(header, lines);
}
