/** Events per call of `ingest`: it is one transaction, and other writers wait for it. */
export const mostEvents = 10_000;
