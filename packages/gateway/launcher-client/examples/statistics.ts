import assert from "node:assert/strict";
import { compareJobs, type ReportedRollout, reportJob } from "@proj/launcher-client/statistics";

/** Two rollouts of each of two tasks. */
const rollouts = (...scores: readonly number[]): ReportedRollout[] =>
  scores.map((score, index) => ({
    ...{ task: index < 2 ? "sum" : "sort", session_id: `s${index}`, ending: "scored", score },
    ...{ prompt_tokens: 100, completion_tokens: 20, cost_nano_usd: 0 },
    ...{ duration_ms: 1_000, tool_failures: null },
  }));

const before = reportJob(rollouts(0, 1, 0, 0));
const now = reportJob(rollouts(1, 1, 0, 1));
assert.equal(now.mean, 0.75);
assert.equal(compareJobs(before, now).difference, 0.5);
