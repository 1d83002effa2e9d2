/** How to connect to a server. */
export interface PostgresOptions {
  /**
   * `postgres://user:password@host:5432/database`, with libpq's parameters after `?`: `sslmode`
   * (`verify-full`, with `sslrootcert`), `application_name`, `options`.
   */
  readonly db_url: string;
  /** Maximum number of connections. @default 10 */
  readonly pool_size?: number;
  /** How long to wait for a connection, in seconds. @default 5 */
  readonly connect_timeout_s?: number;
  /** How long the server may work on one statement, in seconds. @default 30 */
  readonly statement_timeout_s?: number;
}

/** @throws TypeError */
export function checkUrl(db_url: string): void {
  if (/^postgres(?:ql)?:\/\/./.test(db_url) && URL.canParse(db_url)) return;
  // The rest may contain a password.
  const given = `${db_url.split("://", 1)[0]}://…`;
  throw new TypeError(
    `db_url must have the form postgres://user:password@host:5432/database, but is ${given}`,
  );
}
