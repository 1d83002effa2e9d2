import type { QuerySource } from "../prepared-query.ts";
import { environmentReader } from "../read-environment.ts";
import type { TransactionSource } from "../transaction.ts";
import { simulationAdder } from "./add-simulations.ts";
import { attemptClaimer } from "./claim.ts";
import { rewardCommitter } from "./commit-reward.ts";
import { attemptFailer } from "./fail-attempt.ts";
import { stepFinder } from "./find-step.ts";
import { heartbeatWriter } from "./heartbeat.ts";
import { ownInterrupter, staleInterrupter } from "./interrupt.ts";
import { environmentsReader } from "./read-environments.ts";
import { jobReader, jobsReader } from "./read-jobs.ts";
import { largestSuccessStepReader } from "./read-largest-success-step.ts";
import { failureRetrier } from "./retry-failed.ts";

/** All that a JobStore writes, in a transaction each: `now` is the time at which it began. */
export interface JobTransactions {
  readonly addSimulations: ReturnType<typeof simulationAdder>;
  readonly claim: ReturnType<typeof attemptClaimer>;
  readonly heartbeat: ReturnType<typeof heartbeatWriter>;
  readonly interruptStale: ReturnType<typeof staleInterrupter>;
  readonly interrupt: ReturnType<typeof ownInterrupter>;
  readonly retryFailed: ReturnType<typeof failureRetrier>;
  readonly fail: ReturnType<typeof attemptFailer>;
  readonly commitReward: ReturnType<typeof rewardCommitter>;
}

export function jobTransactions(source: TransactionSource): JobTransactions {
  return {
    addSimulations: simulationAdder(source),
    claim: attemptClaimer(source),
    heartbeat: heartbeatWriter(source),
    interruptStale: staleInterrupter(source),
    interrupt: ownInterrupter(source),
    retryFailed: failureRetrier(source),
    fail: attemptFailer(source),
    commitReward: rewardCommitter(source),
  };
}

/** What a JobStore reads in little time. */
export interface JobReads {
  readonly readEnvironments: ReturnType<typeof environmentsReader>;
  readonly readEnvironment: ReturnType<typeof environmentReader>;
  readonly readJob: ReturnType<typeof jobReader>;
  readonly readJobs: ReturnType<typeof jobsReader>;
  readonly hasStep: ReturnType<typeof stepFinder>;
  readonly readLargestSuccessStep: ReturnType<typeof largestSuccessStepReader>;
}

export function jobReads(source: QuerySource): JobReads {
  return {
    readEnvironments: environmentsReader(source),
    readEnvironment: environmentReader(source),
    readJob: jobReader(source),
    readJobs: jobsReader(source),
    hasStep: stepFinder(source),
    readLargestSuccessStep: largestSuccessStepReader(source),
  };
}
