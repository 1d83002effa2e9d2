import { Client } from "pg";

export interface SchemaLock extends AsyncDisposable {
  /** Whether a program that is starting waits for the lock. */
  isAwaited(): Promise<boolean>;
  unlock(): Promise<void>;
}

/** Keeps programs that start from reading the schema's version; those that serve go on. */
export async function lockSchema(db_url: string): Promise<SchemaLock> {
  const client = new Client({ connectionString: db_url });
  await client.connect();
  await client.query("begin; lock table storage_info in access exclusive mode");
  return {
    isAwaited: async () => {
      // In a transaction the activity would stay what it was at first.
      await client.query("select pg_stat_clear_snapshot()");
      const { rows } = await client.query(
        // Those that serve read whether the database can be written, for /readyz.
        `select from pg_locks join pg_stat_activity using (pid)
          where relation = 'storage_info'::regclass and not granted and query like '%schema_version%'`,
      );
      return rows.length > 0;
    },
    unlock: async () => void (await client.query("commit")),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
