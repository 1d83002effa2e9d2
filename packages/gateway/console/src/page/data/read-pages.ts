import type { Source } from "./source.ts";

/**
 * All pages of a list below a job, in order.
 * @param part such as `scores`
 * @param query of the first page and of the others
 */
export async function readPages<Page extends { readonly next_after: string | null }>(
  source: Source,
  job_id: string,
  part: string,
  signal: AbortSignal,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const asked = new URLSearchParams({ ...query, ...(after === "" ? {} : { after }) });
    const path = `${jobPath(job_id)}/${part}${asked.size === 0 ? "" : `?${asked}`}`;
    const page: Page = await source.ask<Page>(path, signal);
    pages.push(page);
    after = page.next_after;
  }
  return pages;
}

export const jobPath = (job_id: string): string => `/v1/jobs/${encodeURIComponent(job_id)}`;
