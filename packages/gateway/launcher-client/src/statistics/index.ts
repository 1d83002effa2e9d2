export { cohenKappa, krippendorffAlpha, type Level, type Pairs } from "./agreement.ts";
export { type Agreement, agreementsOf, meanScores, type SaidScore } from "./agreements.ts";
export { percentileInterval, resampledMeans } from "./bootstrap.ts";
export { type ComparedTask, compareJobs, type JobComparison } from "./compare-jobs.ts";
export {
  areEqual,
  clusteredError,
  deviation,
  type Interval,
  mean,
  studentInterval,
} from "./means.ts";
export { type PairedOptions, type PairedTest, pairedTest } from "./paired.ts";
export { passAtK, passHatK, type Trials, wilsonInterval } from "./passes.ts";
export { type Random, seededRandom, shuffled } from "./random.ts";
export {
  type JobReport,
  type PassRate,
  type ReportedRollout,
  type ReportOptions,
  reportJob,
  type Summary,
  type TaskReport,
} from "./report-job.ts";
export { rolloutOf } from "./rollout-of.ts";
