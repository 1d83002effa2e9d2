import { LoadGenerator } from "../load/load-generator.ts";
import type { RoundResult } from "../load/load-protocol.ts";
import { prepareMachine } from "../machine/prepare-machine.ts";
import { writeResults } from "../results.ts";
import { gatewayBoundRow } from "../servers/gateway-rows.ts";
import { type StartedRow, startServers } from "../servers/server-set.ts";
import { startUpstream } from "../servers/upstream-row.ts";
import { median, shuffled } from "../statistics.ts";
import { progress, verdict, warning } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";
import { openConsole } from "./open-console.ts";

/** Share of the throughput that an open console must leave. */
const LEAST_SHARE = 0.98;
const WARM_UP_MS = 5_000;

export interface ConsoleBenchOptions {
  readonly repetitions: number;
  readonly windowMs: number;
  /** Live sessions, each with its own connection. */
  readonly sessions: number;
  readonly force: boolean;
}

interface Sample {
  readonly repetition: number;
  readonly isOpen: boolean;
  readonly round: RoundResult;
  readonly console_answers: number;
  readonly console_errors: number;
}

/** What an open console costs a gateway under load. */
export async function runConsoleBench(options: ConsoleBenchOptions): Promise<number> {
  const machine = await prepareMachine(options.force);
  if (machine === null) return 2;
  const { cores } = machine;
  const upstream = await startUpstream(cores.upstream);
  const load = await LoadGenerator.start(cores.load);
  const context = { upstream, cores: cores.server };
  const servers = await startServers([gatewayBoundRow], context, "1k", (name, reason) =>
    warning(`${name} did not start: ${reason}`),
  );
  const samples: Sample[] = [];
  try {
    for (const started of servers.started) {
      await roundOf(started, load, {
        ...options,
        windowMs: Math.min(WARM_UP_MS, options.windowMs),
      });
      for (let repetition = 0; repetition < options.repetitions; repetition++)
        for (const isOpen of shuffled([false, true]))
          samples.push({ repetition, isOpen, ...(await measure(started, load, options, isOpen)) });
    }
  } finally {
    await servers.stop();
    await Promise.all([load.stop(), upstream.stop()]);
  }
  const passed = tell(samples);
  writeResults("console", { machine: machine.description, options, samples }, null);
  return passed ? 0 : 1;
}

const roundOf = (
  { target }: StartedRow,
  load: LoadGenerator,
  { sessions, windowMs }: ConsoleBenchOptions,
): Promise<RoundResult> =>
  load.round({ target, body: "1k", connections: sessions, rampMs: 500, windowMs });

async function measure(
  started: StartedRow,
  load: LoadGenerator,
  options: ConsoleBenchOptions,
  isOpen: boolean,
): Promise<Omit<Sample, "repetition" | "isOpen">> {
  const { port } = started.target;
  const opened = isOpen ? await openConsole(port, await aSession(port)) : null;
  const round = await roundOf(started, load, options);
  await opened?.close();
  const rate = `${round.requests_per_second.toFixed(0)}/s, p99 ${round.p99_ms.toFixed(1)} ms`;
  progress(`${isOpen ? "with" : "without"} a console: ${rate}, ${round.errors} errors`);
  return {
    round,
    console_answers: opened?.answers() ?? 0,
    console_errors: opened?.errors() ?? 0,
  };
}

/** One of the live sessions. */
async function aSession(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/sessions?stored=true&limit=1`);
  const { sessions } = (await response.json()) as { sessions: { session_id: string }[] };
  const [first] = sessions;
  if (first === undefined) throw new Error("the gateway has no session");
  return encodeURIComponent(first.session_id);
}

function tell(samples: readonly Sample[]): boolean {
  const of = (isOpen: boolean): readonly Sample[] =>
    samples.filter((sample) => sample.isOpen === isOpen);
  const shares = of(true).flatMap(({ repetition, round }) => {
    const other = of(false).find((sample) => sample.repetition === repetition);
    return other === undefined ? [] : [round.requests_per_second / other.round.requests_per_second];
  });
  const share = median(shares);
  const errors = samples.reduce(
    (sum, { round, console_errors }) => sum + round.errors + console_errors,
    0,
  );
  const passed = errors === 0 && share >= LEAST_SHARE;
  const rows = [false, true].map((isOpen) => {
    const figure = (read: (round: RoundResult) => number): string =>
      median(of(isOpen).map(({ round }) => read(round))).toFixed(1);
    return [
      isOpen ? "with a console in every view" : "without",
      figure(({ requests_per_second }) => requests_per_second),
      figure(({ p50_ms }) => p50_ms),
      figure(({ p99_ms }) => p99_ms),
      figure(({ cpu_us_per_request }) => cpu_us_per_request),
      String(of(isOpen).reduce((sum, { console_answers }) => sum + console_answers, 0)),
    ];
  });
  const header = [
    "chat bodies of 1 KB",
    "requests/s",
    "p50 ms",
    "p99 ms",
    "CPU µs/request",
    "answers to it",
  ];
  console.log(`\n${textTable(header, rows)}`);
  const said = errors === 0 ? verdict(passed) : `INVALID: ${errors} errors`;
  console.log(`\nthroughput with / without: ${share.toFixed(3)} (>= ${LEAST_SHARE})  ${said}`);
  return passed;
}
