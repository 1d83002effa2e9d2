import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@proj/test-kit";
import { startPinned } from "../machine/pinned-process.ts";
import { gatewayBoundRow, gatewayRow } from "../servers/gateway-rows.ts";
import { haproxyRow } from "../servers/haproxy-row.ts";
import type { RowContext, RunningServer, ServerRow } from "../servers/server-row.ts";
import { untilAnswering } from "../servers/until-answering.ts";
import type { RunningPostgres } from "./running-postgres.ts";

const BALANCER = fileURLToPath(new URL("../../../deploy/haproxy/haproxy.cfg", import.meta.url));

export const SQLITE: string = gatewayBoundRow.name;
export const POSTGRES = "gateway-bound-postgres";
export const ONE_BEHIND = "one-behind-haproxy";
export const TWO_BEHIND = "two-behind-haproxy";

/** One gateway on each database. */
export function storageRows(postgres: RunningPostgres): readonly ServerRow[] {
  return [gatewayBoundRow, postgresRow(postgres.newDatabase)];
}

/**
 * One and two gateways on one database behind HAProxy, as in `deploy/`.
 * @param cores the gateways' cores, the same for one and for two gateways
 */
export function balancedRows(
  postgres: RunningPostgres,
  cores: string | null,
): readonly ServerRow[] {
  return [1, 2].map((count) => ({
    name: count === 1 ? ONE_BEHIND : TWO_BEHIND,
    description: `${count} on PostgreSQL behind HAProxy`,
    records: "every step durably",
    reasonMissing: haproxyRow.reasonMissing,
    start: async (context) => {
      const db_url = await postgres.newDatabase();
      const row = postgresRow(async () => db_url);
      const gateways: RunningServer[] = [];
      for (let number = 1; number <= count; number++) {
        const folder = join(context.folder, String(number));
        mkdirSync(folder);
        gateways.push(await row.start({ ...context, cores, folder }));
      }
      return startBalancer(gateways, context);
    },
  }));
}

function postgresRow(newDatabase: () => Promise<string>): ServerRow {
  return gatewayRow({
    name: POSTGRES,
    description: "the same with PostgreSQL, fsync on",
    bound: true,
    storage: async () => ({
      storage_type: "cloud",
      storage_config: { db_url: await newDatabase() },
    }),
  });
}

async function startBalancer(
  gateways: readonly RunningServer[],
  { cores }: RowContext,
): Promise<RunningServer> {
  const port = await freePort();
  const [first, second = first] = gateways.map((gateway) => `127.0.0.1:${gateway.port}`);
  const environment = {
    LISTEN: `127.0.0.1:${port}`,
    GATEWAY_1: first ?? "",
    // Naming the same gateway twice gives one gateway that has all sessions.
    GATEWAY_2: second ?? "",
    ...(process.getuid?.() === 0 ? {} : { WITHOUT_ROOT: "1" }),
  };
  const balancer = startPinned({
    cores,
    command: "haproxy",
    args: ["-db", "-f", BALANCER],
    environment,
  });
  await untilAnswering(balancer, port, "/readyz");
  const [gateway] = gateways;
  if (gateway === undefined) throw new Error("There is at least one gateway.");
  return {
    ...gateway,
    port,
    stop: async () => {
      await balancer.stop();
      await Promise.all(gateways.map(({ stop }) => stop()));
    },
  };
}
