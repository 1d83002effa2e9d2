/** The last 24 hours are the events later than `time - windowSeconds`, up to `time`. */
export const windowSeconds: number = 24 * 60 * 60;
