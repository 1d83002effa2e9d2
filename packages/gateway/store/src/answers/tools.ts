import type { StoreBrowser } from "../store-browser.ts";
import { simulations } from "./browse.ts";
import { ToolTally, type ToolUse } from "./tool-tally.ts";

/** The answer to `GET {session}/tools`. */
export interface ToolsBody {
  readonly tools: readonly ToolUse[];
}

/** The answer to `GET /v1/jobs/{job_id}/tools?after=`: of a page of its attempts. `totalTools` adds pages up. */
export interface JobToolsBody extends ToolsBody {
  /** `after` for the next page; null at the end. */
  readonly next_after: string | null;
}

/** How many attempts are counted in one answer. */
const attemptsPerPage = "200";

/** @throws QueryError */
export async function tools(
  browser: StoreBrowser,
  job_id: string,
  query: URLSearchParams,
): Promise<JobToolsBody> {
  const page = new URLSearchParams({ after: query.get("after") ?? "", limit: attemptsPerPage });
  const { simulations: attempts, next_after } = await simulations(browser, job_id, page);
  const session_ids = attempts.map(({ session_id }) => session_id);
  return { tools: await countTools(browser, session_ids), next_after };
}

export async function sessionTools(browser: StoreBrowser, session_id: string): Promise<ToolsBody> {
  return { tools: await countTools(browser, [session_id]) };
}

async function countTools(
  browser: StoreBrowser,
  session_ids: readonly string[],
): Promise<readonly ToolUse[]> {
  const tally = new ToolTally();
  for (let after: number | null = 0; after !== null; ) {
    const page = await browser.readToolSteps({ session_ids, after });
    for (const step of page.steps) tally.add(step);
    after = page.next_after;
  }
  return tally.tools();
}
