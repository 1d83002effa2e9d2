import { table } from "@proj/program";
import { type EnvironmentRow, type JobStore, openJobStore } from "@proj/session-store";
import { sessionSteps } from "@proj/session-store/answers";

/** How to call the launcher in a clone of the repository. */
export const calledAs = "npm run launcher --";

const columns = [
  { title: "simulation" },
  { title: "status" },
  { title: "steps", align: "right" },
  { title: "tokens", align: "right" },
  { title: "reward", align: "right" },
  { title: "session" },
] as const;

/** Reads the database that gateway and launcher wrote, and prints where to look next. */
export async function printWhatHappened(job_id: string, db_url: string): Promise<void> {
  const store = await openJobStore({ storage_type: "sqlite", storage_config: { db_url } });
  const { environments } = await store.readEnvironments({ job_id });
  const rows = await Promise.all(environments.map((environment) => rowOf(store, environment)));
  await store.close();
  console.log(`\n${table(columns, rows)}
Look closer:
  ${calledAs} view ${job_id} --db-path ${db_url}
  ${calledAs} show ${environments[0]?.session_id} --db-path ${db_url}
  ${calledAs} status --job-id ${job_id} --db-path ${db_url}
  ${calledAs} export --job-id ${job_id} --db-path ${db_url} --output data/demo.jsonl
  ${calledAs} doctor --job-id ${job_id} --db-path ${db_url}`);
}

async function rowOf(store: JobStore, environment: EnvironmentRow): Promise<string[]> {
  const { simulation_id, status, reward, session_id } = environment;
  let steps = 0;
  let tokens = 0;
  for await (const { meta_json } of sessionSteps(store, session_id)) {
    const { prompt_tokens, completion_tokens } = JSON.parse(meta_json);
    steps += 1;
    tokens += prompt_tokens + completion_tokens;
  }
  return [simulation_id, status, String(steps), String(tokens), String(reward), session_id];
}
