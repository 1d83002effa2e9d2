import type { Columns } from "../training/parquet/columns.ts";

/** The tables of an archive, with their columns. Each is a folder, partitioned by job and by the day of the end. */
export const tables: Readonly<Record<TableName, Columns>> = {
  rollouts: {
    session_id: "text",
    job_id: "text",
    simulation_id: "text",
    attempt: "integer",
    env_name: "text",
    group_id: "text",
    status: "text",
    reward: "number",
    error: "text",
    owner: "text",
    heartbeat_at: "text",
    created_at: "text",
    started_at: "text",
    finished_at: "text",
    env_params: "text",
    result: "text",
    large_values: "text",
  },
  steps: {
    id: "integer",
    request_id: "text",
    session_id: "text",
    model: "text",
    step_id: "integer",
    status_code: "integer",
    env_name: "text",
    job_id: "text",
    group_id: "text",
    step_reward: "number",
    reward: "number",
    is_trainable: "flag",
    is_terminal: "flag",
    is_truncated: "flag",
    is_session_completed: "flag",
    created_at: "text",
    meta_json: "text",
    request: "text",
    response: "text",
    messages: "text",
    large_values: "text",
  },
  scores: {
    session_id: "text",
    name: "text",
    author: "text",
    repetition: "integer",
    value: "number",
    label: "text",
    comment: "text",
    judged_in: "text",
    created_at: "text",
  },
};

export type TableName = "rollouts" | "steps" | "scores";
export const tableNames: readonly TableName[] = ["rollouts", "steps", "scores"];

export const manifests = "manifests/";

/** The folder of a job in one of the archive's folders. */
const jobFolder = (folder: string, job_id: string): string =>
  `${folder}/job=${encodeURIComponent(job_id)}/`;

export const manifestFolder = (job_id: string): string => jobFolder("manifests", job_id);

const partName = (part: number): string => `part-${String(part).padStart(6, "0")}`;

export const manifestPath = (job_id: string, part: number): string =>
  `${manifestFolder(job_id)}${partName(part)}.json`;

export const tableFolder = (table: TableName, job_id: string): string => jobFolder(table, job_id);

export const tablePath = (table: TableName, job_id: string, day: string, part: number): string =>
  `${tableFolder(table, job_id)}day=${day}/${partName(part)}.parquet`;

/** A value is stored once for each job. */
export const valuePath = (job_id: string, sha256: string): string =>
  `${jobFolder("values", job_id)}${sha256}`;
