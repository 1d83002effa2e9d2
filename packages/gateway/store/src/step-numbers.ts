/** The numbers of the stored steps of a session and model; null: there are none. */
export interface StepNumbers {
  readonly smallest: number | null;
  readonly largest: number | null;
}

/** A free number instead of a taken one: steps count up from 1, other calls down from -1. */
export function freeNumber(taken: number, numbers: StepNumbers | undefined): number {
  if (taken < 0) return Math.min(numbers?.smallest ?? 0, 0) - 1;
  return Math.max(numbers?.largest ?? 0, 0) + 1;
}
