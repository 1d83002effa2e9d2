import { LoadGenerator } from "./load/load-generator.ts";
import type { ProbeResult, RoundResult } from "./load/load-protocol.ts";
import { prepareMachine } from "./machine/prepare-machine.ts";
import { writeResults } from "./results.ts";
import { askInside, insideContext } from "./servers/ask-inside.ts";
import { gatewayBoundRow, gatewayUnboundRow } from "./servers/gateway-rows.ts";
import type { InsideReport } from "./servers/inside-report.ts";
import type { ServerRow } from "./servers/server-row.ts";
import { type ServerSetContext, startServers } from "./servers/server-set.ts";
import { startUpstream } from "./servers/upstream-row.ts";
import { median, shuffled } from "./statistics.ts";
import { progress, verdict, warning } from "./terminal/progress.ts";
import { textTable } from "./terminal/text-table.ts";

/** The most that telemetry may add to the 99th percentile. */
const BOUND_MS = 20;
const CONNECTIONS = 16;
const PROBE_EVERY_MS = 5;
const REPETITIONS = 3;
const WARM_UP_MS = 2000;

/** A steady rate shows the longest turns of the loop; full load also shows the queue in front of it. */
const LOADS = [
  { name: "60 requests/s", ratePerSecond: 60 },
  { name: "as many as go", ratePerSecond: undefined },
] as const;

interface Sample {
  readonly row: string;
  readonly load: string;
  readonly round: RoundResult;
  readonly probe: ProbeResult;
  readonly inside: InsideReport;
}

/** Event-loop delay of the gateway with 1 MB bodies: bound (telemetry on) against unbound (off). */
export async function runEventLoopBench(seconds: number, force: boolean): Promise<number> {
  const machine = await prepareMachine(force);
  if (machine === null) return 2;
  const { cores } = machine;
  const upstream = await startUpstream(cores.upstream);
  const load = await LoadGenerator.start(cores.load);
  const prober = await LoadGenerator.start(cores.load, true);
  const samples: Sample[] = [];
  try {
    const context = { upstream, cores: cores.serverTwoCores, ...insideContext(false) };
    const windowMs = Math.max(1000, (seconds * 1000) / REPETITIONS);
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      for (const row of shuffled([gatewayUnboundRow, gatewayBoundRow])) {
        samples.push(...(await measureRow(row, context, load, prober, windowMs)));
      }
    }
  } finally {
    await Promise.all([load.stop(), prober.stop(), upstream.stop()]);
  }
  const passed = tell(samples);
  writeResults("event-loop", { machine: machine.description, samples }, null);
  return passed ? 0 : 1;
}

async function measureRow(
  row: ServerRow,
  context: ServerSetContext,
  load: LoadGenerator,
  prober: LoadGenerator,
  windowMs: number,
): Promise<Sample[]> {
  const servers = await startServers([row], context, "1m", (name, reason) =>
    warning(`${name} did not start: ${reason}`),
  );
  const samples: Sample[] = [];
  try {
    for (const { target } of servers.started) {
      const round = { target, body: "1m", connections: CONNECTIONS, rampMs: 200 } as const;
      await load.round({ ...round, windowMs: WARM_UP_MS });
      for (const { name, ratePerSecond } of LOADS) {
        await askInside(target.pid);
        const rate = ratePerSecond === undefined ? {} : { ratePerSecond };
        const [result, probe] = await Promise.all([
          load.round({ ...round, windowMs, ...rate }),
          prober.probe({
            port: target.port,
            path: "/healthz",
            intervalMs: PROBE_EVERY_MS,
            windowMs,
          }),
        ]);
        const inside = await askInside(target.pid);
        samples.push({ row: row.name, load: name, round: result, probe, inside });
        progress(`${row.name}, ${name}: probe p99 ${probe.p99_ms.toFixed(1)} ms`);
      }
    }
  } finally {
    await servers.stop();
  }
  return samples;
}

function tell(samples: readonly Sample[]): boolean {
  const views = [
    ["loop delay p99 inside", (sample: Sample) => sample.inside.loop_delay_p99_ms],
    ["GET /healthz p99", (sample: Sample) => sample.probe.p99_ms],
  ] as const;
  let allPassed = true;
  const rows = LOADS.flatMap(({ name }) =>
    views.map(([view, figure]) => {
      const of = (row: ServerRow): readonly Sample[] =>
        samples.filter((sample) => sample.load === name && sample.row === row.name);
      const [off, on] = [of(gatewayUnboundRow), of(gatewayBoundRow)];
      const more = median(on.map(figure)) - median(off.map(figure));
      const errors = [...off, ...on].reduce(
        (sum, { round, probe }) => sum + round.errors + probe.errors,
        0,
      );
      const passed = errors === 0 && more <= BOUND_MS;
      allPassed &&= passed;
      return [
        `${name}, ${view}`,
        median(off.map(({ round }) => round.requests_per_second)).toFixed(0),
        median(on.map(({ round }) => round.requests_per_second)).toFixed(0),
        median(off.map(figure)).toFixed(1),
        median(on.map(figure)).toFixed(1),
        more.toFixed(1),
        errors === 0 ? verdict(passed) : `INVALID: ${errors} errors`,
      ];
    }),
  );
  const header = [
    "1 MB bodies",
    "off: req/s",
    "on: req/s",
    "off: ms",
    "on: ms",
    `more (<= ${BOUND_MS})`,
    "verdict",
  ];
  console.log(`\n${textTable(header, rows)}`);
  return allPassed;
}
