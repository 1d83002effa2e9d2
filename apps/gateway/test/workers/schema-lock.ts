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
      const { rows } = await client.query(
        "select from pg_locks where relation = 'storage_info'::regclass and not granted",
      );
      return rows.length > 0;
    },
    unlock: async () => void (await client.query("commit")),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
