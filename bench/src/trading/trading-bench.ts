import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { prepareMachine } from "../machine/prepare-machine.ts";
import { RESULTS_FOLDER, writeResults } from "../results.ts";
import { median, shuffled } from "../statistics.ts";
import { progress, verdict } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";
import { engineOrdersPerSecond, fillTimes } from "./order-speed.ts";
import { type PushRound, pushRound, type ServerName, startServer } from "./push-rounds.ts";

export interface TradingBenchOptions {
  readonly repetitions: number;
  readonly windowMs: number;
  readonly force: boolean;
}

/**
 * How much our client reads, with typed events and mirrors, as a share of what the plain client reads from
 * the same kind of socket.
 */
const BOUND = 0.8;
const MESSAGES = 200_000;
const WARM_UP = 50_000;
const ORDERS = 500;
const SERVERS: readonly ServerName[] = ["broker", "socket.io 2.5.1"];
const CLIENTS = [1, 100] as const;

const CLIENTS_BY_KIND = {
  plain: "socket.io-client 2.5.0, over ws",
  "plain-as-it-comes": "socket.io-client 2.5.0, as it comes",
  trading: "trading-client, events and mirrors, over ws",
} as const;
type ComparedKind = keyof typeof CLIENTS_BY_KIND;
const COMPARED_KINDS = ["plain", "plain-as-it-comes", "trading"] as const;

interface ClientRecord extends PushRound {
  readonly kind: ComparedKind;
  readonly repetition: number;
}

interface ServerRecord extends PushRound {
  readonly server: ServerName;
  readonly clients: number;
}

/** Pushes to one client and to many, the client's cost, and orders, next to plain socket.io. */
export async function runTradingBench(options: TradingBenchOptions): Promise<number> {
  const machine = await prepareMachine(options.force);
  if (machine === null) return 2;
  const { server: cores, load } = machine.cores;
  const folder = mkdtempSync(join(RESULTS_FOLDER, "run-"));
  const removeFiles = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFiles);
  const clients = await measureClients(options, cores, load);
  const servers = await measureServers(options, cores, load);
  const engine = {
    in_memory: engineOrdersPerSecond(null, options.windowMs),
    durable: engineOrdersPerSecond(folder, options.windowMs),
  };
  progress("orders through the engine, then order to fill push");
  const broker = await startServer("broker", cores, [join(folder, "broker.db")]);
  const fills = await fillTimes(broker.url, ORDERS).finally(() => broker.process.stop());
  removeFiles();

  console.log(`\n${clientTable(clients)}\n\n${serverTable(servers)}\n`);
  const engineRows = [
    ["in memory", engine.in_memory.toFixed(0)],
    ["in a file", engine.durable.toFixed(0)],
  ];
  console.log(`${textTable(["engine", "orders/s"], engineRows)}\n`);
  const fillRow = [String(fills.orders), fills.p50_ms.toFixed(2), fills.p99_ms.toFixed(2)];
  console.log(`${textTable(["order to fill push", "p50 ms", "p99 ms"], [fillRow])}\n`);
  const ratios = (["plain", "plain-as-it-comes"] as const).flatMap((other) =>
    Object.entries(FIGURES).map(([name, figure]) => ({
      what: `trading-client to ${CLIENTS_BY_KIND[other]}: ${name}`,
      bound: other === "plain" ? BOUND : null,
      measured: shareOf(other, clients, figure),
    })),
  );
  const lines = ratios.map(({ what, bound, measured }) => [
    what,
    bound === null ? "" : `>= ${bound}`,
    measured.toFixed(2),
    bound === null ? "" : verdict(measured >= bound),
  ]);
  console.log(textTable(["ratio", "bound", "measured", "verdict"], lines));
  const { description, loaded } = machine;
  const about = { machine: description, loaded_machine: loaded, options };
  writeResults("trading", { ...about, ratios, clients, servers, engine, fills }, null);
  return ratios.every(({ measured, bound }) => bound === null || measured >= bound) ? 0 : 1;
}

/** The same recording from the same plain server: half prices, half changes of four tables. */
async function measureClients(
  { repetitions }: TradingBenchOptions,
  cores: string | null,
  load: string | null,
): Promise<readonly ClientRecord[]> {
  const records: ClientRecord[] = [];
  const server = await startServer("socket.io 2.5.1", cores);
  try {
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      for (const kind of shuffled(COMPARED_KINDS)) {
        const round = await pushRound(server, kind, 1, { count: MESSAGES, warmUp: WARM_UP }, load);
        records.push({ kind, repetition, ...round });
        const perSecond = (round.messages / round.seconds).toFixed(0);
        progress(`client ${repetition + 1}/${repetitions}: ${kind}, ${perSecond} messages/s`);
      }
    }
  } finally {
    await server.process.stop();
  }
  return records;
}

async function measureServers(
  { repetitions, windowMs }: TradingBenchOptions,
  cores: string | null,
  load: string | null,
): Promise<readonly ServerRecord[]> {
  const records: ServerRecord[] = [];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    for (const server of shuffled(SERVERS)) {
      const args = server === "broker" ? [] : ["prices"];
      const started = await startServer(server, cores, args);
      try {
        for (const clients of CLIENTS) {
          const round = await pushRound(started, "plain-prices", clients, { windowMs }, load);
          records.push({ server, clients, ...round });
          const perSecond = (round.messages / round.seconds).toFixed(0);
          const where = `${server} to ${clients}`;
          progress(`server ${repetition + 1}/${repetitions}: ${where}, ${perSecond} pushes/s`);
        }
      } finally {
        await started.process.stop();
      }
    }
  }
  return records;
}

/** The figure by which clients are compared; more is better. */
const FIGURES: Readonly<Record<string, (round: ClientRecord) => number>> = {
  "messages per CPU second (its cost per message)": ({ cpu_us, messages }) => messages / cpu_us,
  "messages per second": ({ seconds, messages }) => messages / seconds,
};

/** One client's figure divided by another's in the same repetition; the median over repetitions. */
function shareOf(
  other: ComparedKind,
  rounds: readonly ClientRecord[],
  figure: (round: ClientRecord) => number,
): number {
  const own = rounds.filter(({ kind }) => kind === "trading");
  const shares = own.flatMap((round) =>
    rounds
      .filter(({ kind, repetition }) => kind === other && repetition === round.repetition)
      .map((one) => figure(round) / figure(one)),
  );
  return median(shares);
}

function clientTable(rounds: readonly ClientRecord[]): string {
  const rows = COMPARED_KINDS.map((kind) => {
    const own = rounds.filter((round) => round.kind === kind);
    const perSecond = median(own.map(({ messages, seconds }) => messages / seconds));
    const cpu = median(own.map(({ cpu_us, messages }) => cpu_us / messages));
    return [CLIENTS_BY_KIND[kind], perSecond.toFixed(0), cpu.toFixed(2)];
  });
  return textTable(["client", "messages/s", "CPU us/message"], rows);
}

function serverTable(rounds: readonly ServerRecord[]): string {
  const rows = SERVERS.flatMap((server) =>
    CLIENTS.map((clients) => {
      const own = rounds.filter((round) => round.server === server && round.clients === clients);
      const perSecond = median(own.map(({ messages, seconds }) => messages / seconds));
      const cpu = median(own.map(({ server_cpu_us, messages }) => server_cpu_us / messages));
      return [server, String(clients), perSecond.toFixed(0), cpu.toFixed(2)];
    }),
  );
  return textTable(["server", "clients", "pushes/s in all", "CPU us/push"], rows);
}
