import { randomUUID } from "node:crypto";
import { defaultLargeValueBytes } from "../large-values.ts";
import * as browseReads from "../queries/browse/browse-reads.ts";
import { callsOn } from "../queries/query-calls.ts";
import type { BrowseCalls, SessionReadCalls } from "../queries/read-calls.ts";
import * as sessionReads from "../queries/session-reads.ts";
import type { BrowsableStore } from "../store-browser.ts";
import { connect, type PostgresStoreOptions } from "./connect.ts";
import { openSchema } from "./open-schema.ts";
import { PostgresStore } from "./postgres-store.ts";

/**
 * Connects to the database and updates its schema.
 * @throws TypeError `db_url` is not a URL of PostgreSQL
 * @throws StoreSchemaError the schema is newer than this program, or the server older than 14
 * @throws StoreUnavailableError
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<BrowsableStore> {
  return connect(options, async (pool) => {
    const opened = await openSchema(pool, options);
    const { database } = opened;
    const { onWentBack = () => {} } = options;
    const store = new PostgresStore({
      ...{ ...opened, gateway_id: randomUUID(), onWentBack },
      largeValueBytes: options.large_value_bytes ?? defaultLargeValueBytes,
    });
    return Object.assign(store, {
      ...callsOn<SessionReadCalls>(sessionReads, database),
      browser: callsOn<BrowseCalls>(browseReads, database),
    });
  });
}
