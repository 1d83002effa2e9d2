import Database from "better-sqlite3";

export interface WriteLock extends Disposable {
  /** Lets writers continue. */
  release(): void;
}

/** Holds a database's write lock, as another program in a long transaction would. Readers continue. */
export function holdWriteLock(databasePath: string): WriteLock {
  const connection = new Database(databasePath, { timeout: 30_000 });
  connection.exec("begin immediate");
  const release = (): void => {
    connection.close();
  };
  return { release, [Symbol.dispose]: release };
}
