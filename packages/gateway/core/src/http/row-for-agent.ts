import type { RowPage, StoredRow } from "@proj/session-store";

/** The members of `meta_json` that the session's own agent may read: not where it runs or how it is scored. */
const readable = new Set([
  "status_code",
  "outcome",
  "endpoint",
  "request_id",
  "retry_of",
  "is_stream",
  "finish_reason",
  "error",
  "prompt_tokens",
  "completion_tokens",
  "cached_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "cost_nano_usd",
  "ttft_ms",
  "upstream_ms",
  "queue_ms",
  "truncated",
  "started_at",
]);

/** Rows as the holder of a session's key, perhaps the agent itself, may read them. */
export const rowsForAgent = (page: RowPage): RowPage => ({
  ...page,
  rows: page.rows.map(rowForAgent),
});

function rowForAgent(row: StoredRow): StoredRow {
  const meta: Record<string, unknown> = JSON.parse(row.meta_json);
  const members = Object.entries(meta).filter(([name]) => readable.has(name));
  return { ...row, reward: null, meta_json: JSON.stringify(Object.fromEntries(members)) };
}
