import type { BrowsableStore, SessionFork, StoredRow } from "@proj/session-store";
import { readStorage } from "../session/read-storage.ts";
import { cameWhole, type RecordedStep, readRecordedStep } from "./recorded-step.ts";

/** The record that answers are taken from. */
export interface SessionRecord {
  /** Steps by model, ordered by number. Their callers got the answers. */
  readonly steps: ReadonlyMap<string, readonly RecordedStep[]>;
  /** Steps that failed and were repeated, and steps whose answers never arrived whole. */
  readonly passedOver: readonly RecordedStep[];
  /** Calls that are not steps. */
  readonly besides: readonly RecordedStep[];
}

const rowsPerRead = 1_000;

/** All rows of a session, without payloads. @throws GatewayError storage_unavailable */
async function* readRows(
  { browser }: Pick<BrowsableStore, "browser">,
  session_id: string,
): AsyncGenerator<StoredRow> {
  for (let after: number | null = 0; after !== null; ) {
    const read = browser.readRows({ session_id, after, limit: rowsPerRead });
    const { rows, next_after } = await readStorage(read);
    yield* rows;
    after = next_after;
  }
}

/** Everything that a session recorded. @throws GatewayError storage_unavailable */
export async function readRecordedSteps(
  store: Pick<BrowsableStore, "browser">,
  session_id: string,
): Promise<readonly RecordedStep[]> {
  const steps: RecordedStep[] = [];
  for await (const row of readRows(store, session_id)) {
    const step = readRecordedStep(row);
    if (step !== null) steps.push(step);
  }
  return steps;
}

/** The part of a session's steps that a fork answers from. */
export function recordOf(all: readonly RecordedStep[], fork: ForkPoint): SessionRecord {
  const prefix = all.filter(upTo(fork, all));
  const steps = new Map<string, RecordedStep[]>();
  const passedOver: RecordedStep[] = [];
  const byNumber = prefix.filter(({ step_id }) => step_id > 0).toSorted(byStepId);
  for (const [model, ofModel] of Map.groupBy(byNumber, (step) => step.model)) {
    const isPassedOver = (step: RecordedStep, index: number): boolean =>
      !cameWhole(step) || (step.hasFailed && isRepeated(step, ofModel[index + 1]));
    passedOver.push(...ofModel.filter(isPassedOver));
    steps.set(
      model,
      ofModel.filter((step, index) => !isPassedOver(step, index)),
    );
  }
  return { steps, passedOver, besides: prefix.filter(({ step_id }) => step_id < 0) };
}

export type ForkPoint = Pick<SessionFork, "model" | "step">;

/**
 * Whether a row belongs to the record up to a model's step: that model's steps do by number, all other rows if
 * they were stored before that step.
 */
function upTo({ model, step }: ForkPoint, all: readonly RecordedStep[]) {
  if (step === null) return () => true;
  const last = all.find((each) => each.model === model && each.step_id === step);
  const lastId = last?.id ?? 0;
  return (each: RecordedStep): boolean =>
    each.model === model && each.step_id > 0 ? each.step_id <= step : each.id <= lastId;
}

const isRepeated = (step: RecordedStep, next: RecordedStep | undefined): boolean =>
  next !== undefined &&
  (next.retry_of === step.step_id ||
    (next.body_sha256 === step.body_sha256 && next.endpoint === step.endpoint));

const byStepId = (one: RecordedStep, other: RecordedStep): number => one.step_id - other.step_id;
