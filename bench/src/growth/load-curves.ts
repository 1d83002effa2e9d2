import type { RoundSpec } from "../load/load-protocol.ts";
import { peakMemoryMb, resetPeakMemory } from "../machine/process-figures.ts";
import { gatewayBoundRow } from "../servers/gateway-rows.ts";
import { type StartedRow, startServers } from "../servers/server-set.ts";
import { median } from "../statistics.ts";
import { progress } from "../terminal/progress.ts";
import type { Growth, GrowthContext } from "./growth.ts";

const WARM_UP_MS = 5000;
const RAMP_MS = 200;
const WINDOW_MS = 1500;
const ROUNDS = 3;
/** The fewest sessions opened each second when first requests open them. */
const SESSIONS_PER_SECOND = 2500;

interface Measured {
  readonly cpu_us: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly errors: number;
}

type Sizes = Pick<RoundSpec, "connections"> & Pick<RoundSpec, "sessions" | "bodyBytes">;

/** Runs with the same bound gateway as the other measurements, freshly started and warm. */
async function withGateway<T>(
  context: GrowthContext,
  use: (started: StartedRow) => Promise<T>,
): Promise<T> {
  const { upstream, cores, load } = context;
  const set = await startServers([gatewayBoundRow], { upstream, cores: cores.server }, "1k", fail);
  try {
    const [started] = set.started;
    if (started === undefined) throw new Error("The gateway did not start.");
    const warmUp = { target: started.target, body: "1k", connections: 16 } as const;
    await load.round({ ...warmUp, rampMs: RAMP_MS, windowMs: context.quick ? 500 : WARM_UP_MS });
    return await use(started);
  } finally {
    await set.stop();
  }
}

function fail(row: string, reason: string): never {
  throw new Error(`${row} did not start: ${reason}`);
}

async function measure(
  { load, quick }: GrowthContext,
  { target }: StartedRow,
  sizes: Sizes,
): Promise<Measured> {
  const rounds: Measured[] = [];
  for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
    const windowMs = quick ? 300 : WINDOW_MS;
    const result = await load.round({ target, body: "1k", rampMs: RAMP_MS, windowMs, ...sizes });
    if (result.first_error !== null) progress(`error: ${result.first_error}`);
    rounds.push({
      cpu_us: result.cpu_us_per_request,
      per_second: result.requests_per_second,
      p50_ms: result.p50_ms,
      errors: result.errors,
    });
  }
  const middle = (of: (round: Measured) => number): number => median(rounds.map(of));
  const measured = {
    cpu_us: middle(({ cpu_us }) => cpu_us),
    per_second: middle(({ per_second }) => per_second),
    p50_ms: middle(({ p50_ms }) => p50_ms),
    errors: rounds.reduce((sum, { errors }) => sum + errors, 0),
  };
  progress(
    `${JSON.stringify(sizes)}: ${measured.per_second.toFixed(0)}/s, ${measured.cpu_us.toFixed(1)} µs`,
  );
  return measured;
}

export function growthOfConnections(context: GrowthContext): Promise<Growth> {
  const counts = context.quick ? [1, 16] : [1, 4, 16, 64, 256, 1000];
  return withGateway(context, async (started) => {
    const all: (readonly [number, Measured])[] = [];
    for (const connections of counts)
      all.push([connections, await measure(context, started, { connections })]);
    return {
      name: "connections",
      title: "Bound requests of 1 KB by connections",
      of: "connections",
      errors: errorsOf(all),
      curves: [
        curve("CPU of a request", "µs", true, all, ({ cpu_us }) => cpu_us),
        curve("requests", "1/s", false, all, ({ per_second }) => per_second),
        curve("median latency", "ms", false, all, ({ p50_ms }) => p50_ms),
      ],
    };
  });
}

export function growthOfBodies(context: GrowthContext): Promise<Growth> {
  const sizes = context.quick ? [1, 100] : [1, 10, 100, 1000, 4000];
  return withGateway(context, async (started) => {
    const all: (readonly [number, Measured])[] = [];
    for (const kilobytes of sizes)
      all.push([
        kilobytes,
        await measure(context, started, { connections: 16, bodyBytes: 1000 * kilobytes }),
      ]);
    return {
      name: "bodies",
      title: "Bound requests by the size of their bodies",
      of: "KB of a body",
      errors: errorsOf(all),
      curves: [
        {
          ...curve("CPU of a KB", "µs", true, all, ({ cpu_us }) => cpu_us),
          points: all.map(([size, { cpu_us }]) => [size, cpu_us / size] as const),
        },
        curve("CPU of a request", "µs", false, all, ({ cpu_us }) => cpu_us),
      ],
    };
  });
}

export async function growthOfSessions(context: GrowthContext): Promise<Growth> {
  const counts = context.quick ? [64, 1000] : [64, 1000, 10_000, 100_000];
  const all: (readonly [number, Measured])[] = [];
  const memory: (readonly [number, number])[] = [];
  for (const sessions of counts) {
    await withGateway(context, async (started) => {
      const { target } = started;
      resetPeakMemory(target.pid);
      const before = peakMemoryMb(target.pid);
      const windowMs = Math.max(1000, (1000 * sessions) / SESSIONS_PER_SECOND);
      const fill = { target, body: "1k", connections: 16, sessions, rampMs: RAMP_MS } as const;
      await context.load.round({ ...fill, windowMs });
      resetPeakMemory(target.pid);
      const grown = Math.max(0.001, peakMemoryMb(target.pid) - before);
      const held = await sessionsOf(target.port);
      all.push([held, await measure(context, started, { connections: 16, sessions })]);
      memory.push([held, before + grown]);
      progress(`${held} sessions in memory: ${grown.toFixed(0)} MB more`);
    });
  }
  return {
    name: "sessions",
    title: "Bound requests of 1 KB by sessions in memory",
    of: "sessions in memory",
    errors: errorsOf(all),
    curves: [
      curve("CPU of a request", "µs", true, all, ({ cpu_us }) => cpu_us),
      { name: "resident memory", unit: "MB", isCost: false, points: memory },
    ],
  };
}

async function sessionsOf(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^gateway_sessions_active (\d+)$/m.exec(metrics)?.[1] ?? Number.NaN);
}

function curve(
  name: string,
  unit: string,
  isCost: boolean,
  all: readonly (readonly [number, Measured])[],
  of: (measured: Measured) => number,
): Growth["curves"][number] {
  return { name, unit, isCost, points: all.map(([size, measured]) => [size, of(measured)]) };
}

function errorsOf(all: readonly (readonly [number, Measured])[]): number {
  return all.reduce((sum, [, { errors }]) => sum + errors, 0);
}
