import { monotonicMs, openStore, type StepRow } from "@proj/session-store";

export interface WrittenStep {
  readonly status_code?: number;
  readonly messages?: string;
  readonly response?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Writes the steps of a session that no launcher started, as a gateway does. */
export async function writeSession(
  db_url: string,
  session_id: string,
  steps: readonly WrittenStep[],
): Promise<void> {
  const store = await openStore({
    storage_type: "sqlite",
    storage_config: { db_url, isOwner: false },
  });
  const names = { session_id, model: "demo", env_name: null, job_id: null, group_id: null };
  const rows = steps.map(
    ({ status_code = 200, messages, response, meta }, index): StepRow => ({
      request_id: `${session_id}-${index + 1}`,
      ...names,
      step_id: index + 1,
      epoch: null,
      history: null,
      status_code,
      created_at: new Date().toISOString(),
      meta_json: JSON.stringify({ status_code, ...meta }),
      request: Buffer.from('{"model":"demo","messages":null}'),
      messages: messages === undefined ? null : Buffer.from(messages),
      response: response === undefined ? null : Buffer.from(response),
    }),
  );
  await store.writeSteps(rows, { deadline: monotonicMs() + 10_000 });
  await store.close();
}
