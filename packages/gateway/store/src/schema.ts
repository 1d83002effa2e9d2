import type { ColumnType, Generated } from "@proj/database/kysely";
import type { EnvironmentStatus } from "./environment-row.ts";
import type { JobCount } from "./job-counts.ts";
import type { Payload } from "./large-values.ts";
import type { RouteState } from "./route-state.ts";
import type { Score } from "./score.ts";
import type { SessionFork } from "./session-fork.ts";

/** The tables as queries see them. The migrations in `migrations/` define them in the database. */
export interface StoreTables {
  stored_steps: StoredStepsTable;
  /** A view: the same rows with their large strings. */
  unfolded_steps: StoredStepsTable;
  stored_values: StoredValuesTable;
  step_values: StepValuesTable;
  job_environments: JobEnvironmentsTable;
  job_counts: JobCountsTable;
  job_feeds: JobFeedsTable;
  finished_groups: FinishedGroupsTable;
  route_states: RouteState;
  session_owners: SessionOwnersTable;
  session_forks: SessionForksTable;
  session_conversations: SessionConversationsTable;
  scores: Score;
  job_reviews: JobReviewsTable;
  storage_info: StorageInfoTable;
}

/** SQLite returns booleans as 0 and 1, PostgreSQL as booleans; both accept either as a default. */
type StoredBoolean = ColumnType<boolean | number, boolean | number | undefined, boolean | number>;

interface StoredStepsTable {
  id: Generated<number>;
  request_id: string;
  session_id: string;
  model: string;
  step_id: number;
  status_code: number;
  env_name: string | null;
  job_id: string | null;
  group_id: string | null;
  step_reward: number | null;
  reward: number | null;
  is_trainable: StoredBoolean;
  is_terminal: StoredBoolean;
  is_truncated: StoredBoolean;
  is_session_completed: StoredBoolean;
  created_at: string;
  messages_base: number | null;
  messages_shared: number | null;
  meta_json: string;
  request: string | null;
  response: string | null;
  messages: string | null;
}

interface StoredValuesTable {
  /** A job, or a session without one. */
  scope: string;
  sha256: string;
  content: string;
}

interface StepValuesTable {
  /** `stored_steps.id` */
  row_id: number;
  payload: Payload;
  position: number;
  rest_start: number;
  rest_end: number;
  /** Of the value. */
  bytes: number;
  scope: string;
  sha256: string;
}

interface JobEnvironmentsTable {
  session_id: string;
  job_id: string;
  simulation_id: string;
  attempt: number;
  env_name: string | null;
  group_id: string | null;
  status: EnvironmentStatus;
  reward: number | null;
  owner: string | null;
  heartbeat_at: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  env_params: string | null;
  result: string | null;
  error: string | null;
}

interface JobCountsTable extends Record<JobCount, number> {
  job_id: string;
  created_at: string;
  finished_at: string | null;
}

interface JobFeedsTable {
  job_id: string;
  last_position: number;
}

interface FinishedGroupsTable {
  job_id: string;
  position: number;
  group_id: string | null;
  simulation_id: string | null;
  finished_at: string;
}

interface SessionOwnersTable {
  session_id: string;
  gateway_id: string;
  epoch: number;
  closed_at: string | null;
  last_closed_at: string | null;
}

interface SessionForksTable extends Omit<SessionFork, "ignore"> {
  /** A JSON list of strings; null: none. */
  ignored: string | null;
}

interface SessionConversationsTable {
  session_id: string;
  conversation_id: string;
  model: string;
  replica: string | null;
  created_at: string;
}

interface JobReviewsTable {
  job_id: string;
  /** A Rubric as JSON. */
  rubric: string;
  reviewers: number;
  created_at: string;
}

/** One row. */
interface StorageInfoTable {
  storage_id: string;
  schema_version: number;
  created_at: string;
}
