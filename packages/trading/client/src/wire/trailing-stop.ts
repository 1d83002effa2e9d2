/** The trailing step that moves the stop with every tenth of a pip. */
export const dynamicTrailingStep = 1;
/** The smallest step in pips. */
export const leastFixedTrailingStep = 10;

/** Whether the step is a valid `trailing_stop_step`: 0 none, 1 dynamic, 10 and more fixed. */
export function isTrailingStopStep(step: number): boolean {
  return (
    step === 0 ||
    step === dynamicTrailingStep ||
    (Number.isSafeInteger(step) && step >= leastFixedTrailingStep)
  );
}
