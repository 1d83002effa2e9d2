import {
  type JobStore,
  monotonicMs,
  openJobStore,
  openStore,
  type RewardCommit,
  type SessionStore,
  type StepRow,
} from "@proj/session-store";
import { afterAll, beforeAll } from "vitest";
import { type TemporaryStorage, temporaryStorage } from "../temporary-storage.ts";

/** A job with rows that a test writes in place of a gateway and a launcher. */
export interface StoredJob {
  readonly job_id: string;
  readonly store: JobStore;
  readonly db_url: string;
  /** Adds one simulation and claims it. @returns its session id */
  claim(simulation_id: string, group_id?: string): Promise<string>;
  /** Writes the next step of a session. */
  step(session_id: string, step?: Partial<WrittenStep>): Promise<void>;
  /** Ends an attempt with a reward. @param more other than its step 1 and an attempt that was not cut off */
  finish(session_id: string, reward: number, more?: Partial<RewardCommit>): Promise<void>;
  fail(session_id: string, error: string, max_attempts?: number): Promise<void>;
}

export interface WrittenStep {
  readonly model: string;
  /** @default the model's next step */
  readonly step_id: number;
  readonly status_code: number;
  readonly messages: string | null;
  readonly request: string | null;
  readonly response: string | null;
  readonly meta: Readonly<Record<string, unknown>>;
}

interface Opened {
  readonly storage: TemporaryStorage;
  readonly sessions: SessionStore;
  readonly store: JobStore;
}

/** One database for all tests of a file. Each test has its own job. */
export function sharedDatabase(): { newJob(): StoredJob } {
  let opened: Opened | undefined;
  let jobs = 0;
  beforeAll(async () => {
    const storage = await temporaryStorage();
    opened = {
      storage,
      sessions: await openStore(storage),
      store: await openJobStore(storage),
    };
  });
  afterAll(async () => {
    await opened?.store.close();
    await opened?.sessions.close();
    await opened?.storage[Symbol.asyncDispose]();
  });
  return {
    newJob() {
      if (opened === undefined) throw new Error("The database is open only during tests.");
      jobs += 1;
      return storedJob(`job-${jobs}`, opened);
    },
  };
}

const owner = "launcher-1";
let requests = 0;

function storedJob(job_id: string, { storage, store, sessions }: Opened): StoredJob {
  return {
    job_id,
    store,
    db_url: storage.db_url,
    async claim(simulation_id, group_id) {
      const simulation = { env_name: "maze", env_params: null, group_id: group_id ?? null };
      await store.addSimulations(job_id, [{ simulation_id, ...simulation }]);
      const [claimed] = await store.claim({ job_id, owner, limit: 1 });
      return claimed?.session_id ?? "";
    },
    async step(session_id, step = {}) {
      requests += 1;
      const before = await sessions.readSession(session_id);
      const { model = "policy", status_code = 200 } = step;
      const row: StepRow = {
        request_id: `request-${String(requests).padStart(6, "0")}`,
        session_id,
        model,
        step_id:
          step.step_id ?? 1 + (before.models.find((other) => other.model === model)?.steps ?? 0),
        epoch: null,
        history: null,
        status_code,
        env_name: "maze",
        job_id,
        group_id: null,
        created_at: new Date().toISOString(),
        meta_json: JSON.stringify({ status_code, ...step.meta }),
        messages: bytesOf(step.messages ?? null),
        request: bytesOf(step.request ?? null),
        response: bytesOf(step.response ?? null),
      };
      await sessions.writeSteps([row], { deadline: monotonicMs() + 60_000 });
    },
    async finish(session_id, reward, more) {
      const judged = { is_truncated: false, evaluation: "{}", result: "{}", ...more };
      const step = { model: "policy", step_id: 1, reward };
      await store.commitReward({ session_id, owner, ...step, ...judged });
    },
    async fail(session_id, error, max_attempts = 1) {
      await store.fail({ session_id, owner, error, result: null, max_attempts });
    },
  };
}

const bytesOf = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text));
