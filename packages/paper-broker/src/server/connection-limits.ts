/** Bounds of what a server takes and keeps. */
export interface ConnectionLimits {
  /** Connections at once. @default 1000 */
  readonly connections: number;
  /** HTTP requests a second of one connection; more are answered 403. @default 200 */
  readonly requests_per_second: number;
  /** Table changes that may wait for a slow connection before it is closed. @default 10000 */
  readonly queued_changes: number;
  /** Of a request. @default 65536 */
  readonly body_bytes: number;
}

const defaultConnectionLimits: ConnectionLimits = {
  connections: 1000,
  requests_per_second: 200,
  queued_changes: 10_000,
  body_bytes: 65_536,
};

/** @throws TypeError one of them is not a positive integer */
export function connectionLimits(limits: Partial<ConnectionLimits> = {}): ConnectionLimits {
  const all = { ...defaultConnectionLimits, ...limits };
  for (const [name, limit] of Object.entries(all)) {
    if (Number.isSafeInteger(limit) && limit > 0) continue;
    throw new TypeError(`connection_limits.${name} must be a positive integer, but is ${limit}`);
  }
  return all;
}
