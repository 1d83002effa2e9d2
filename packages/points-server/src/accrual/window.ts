/** The last 24 hours are what happened after `time - windowSeconds`, until `time`. */
export const windowSeconds: number = 24 * 60 * 60;
