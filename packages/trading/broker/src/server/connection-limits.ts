/** Limits of a server's connections and requests. */
export interface ConnectionLimits {
  /** Most open connections. @default 1000 */
  readonly connections: number;
  /** Most HTTP requests per second and connection; more are answered 403. @default 200 */
  readonly requests_per_second: number;
  /** Most table changes queued for a slow connection; with more, it is closed. @default 10000 */
  readonly queued_changes: number;
  /** Largest request body. @default 65536 */
  readonly body_bytes: number;
}

const defaultConnectionLimits: ConnectionLimits = {
  connections: 1000,
  requests_per_second: 200,
  queued_changes: 10_000,
  body_bytes: 65_536,
};

/** @throws TypeError a limit is not a positive integer */
export function connectionLimits(limits: Partial<ConnectionLimits> = {}): ConnectionLimits {
  const all = { ...defaultConnectionLimits, ...limits };
  for (const [name, limit] of Object.entries(all)) {
    if (Number.isSafeInteger(limit) && limit > 0) continue;
    throw new TypeError(`connection_limits.${name} must be a positive integer, but is ${limit}`);
  }
  return all;
}
