import type { OverviewBody } from "@proj/gateway-protocol";
import { bytes, count, plural } from "../text/format.ts";

type StorageHealthProps = Pick<OverviewBody, "storage" | "sessions">;

/** Whether rows are being stored. */
export function StorageHealth({ storage, sessions }: StorageHealthProps) {
  const { status, type, telemetry_mode, queue_rows, queue_bytes, lost_rows, file } = storage;
  const facts: readonly (readonly [string, string, boolean?])[] = [
    ["Writable", status === "ready" ? "yes" : status, status !== "ready"],
    ["Kept in", type === "sqlite" ? "a file (SQLite)" : "a server (PostgreSQL)"],
    ["When it fails", telemetry_mode === "strict" ? "requests are refused" : "requests continue"],
    ["Waiting to be written", `${plural(queue_rows, "row")}, ${bytes(queue_bytes)}`],
    ["Lost since the start", plural(lost_rows, "row"), lost_rows > 0],
    ...(file === null
      ? []
      : ([
          ["Free disk space", bytes(file.free_bytes)],
          [
            "Write-ahead log",
            `${bytes(file.wal_bytes)}, emptied ${plural(file.checkpoints, "time")}`,
          ],
        ] as const)),
    [
      "Sessions in memory",
      `${count(sessions.active)} active, ${count(sessions.closing)} closing, ${count(sessions.closed)} closed`,
    ],
  ];
  return (
    <section aria-label="Storage">
      <h2>Storage</h2>
      <dl class="terms">
        {facts.map(([name, value, isBad]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={isBad ? "bad" : ""}>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
