/**
 * `fresh`: the last run has read the page; `read with gaps`: it has, but some rows wait for a person, or could not be
 * read; `stale`: it could not read the page, and the rows are from the last good run.
 */
export type PageCondition = (typeof pageConditions)[number];
export const pageConditions = ["fresh", "read with gaps", "stale"] as const;
