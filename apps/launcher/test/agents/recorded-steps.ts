import { type JobReader, openJobReader, type StoredStep } from "@proj/session-store";
import type { Gateway } from "../launcher.ts";

export const stepsOf = (gateway: Gateway, session_id: string): Promise<readonly StoredStep[]> =>
  reading(gateway, async (store) => (await store.readSteps({ session_id })).steps);

/** The sessions of a job. */
export const sessionsOf = (gateway: Gateway, job_id: string): Promise<string[]> =>
  reading(gateway, async (store) => {
    const { environments } = await store.readEnvironments({ job_id });
    return environments.map(({ session_id }) => session_id);
  });

async function reading<T>({ db_url }: Gateway, read: (store: JobReader) => Promise<T>): Promise<T> {
  const store = await openJobReader({ storage_type: "sqlite", storage_config: { db_url } });
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}

export const metaOf = ({ meta_json }: StoredStep): Record<string, unknown> => JSON.parse(meta_json);

/** The rules that matched the side calls. */
export const asidesOf = (steps: readonly StoredStep[]): unknown[] =>
  steps.filter((step) => step.model === "aside").map((step) => metaOf(step).side_call);

/** The policy's own rows: number, status and the step that they retry. */
export const outlineOf = (steps: readonly StoredStep[]): unknown[] =>
  steps
    .filter((step) => step.model !== "aside")
    .map((step) => {
      const { retry_of = null, attempts } = metaOf(step);
      return { step_id: step.step_id, status_code: step.status_code, retry_of, attempts };
    });
