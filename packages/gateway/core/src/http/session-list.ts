import type { SessionListBody } from "@proj/gateway-protocol";
import type { Request, Response } from "express";
import type { SessionRegistry } from "../session/session-registry.ts";
import { listItem } from "../session/status-body.ts";
import { sendJson } from "./control-answer.ts";
import { optionalText, pageLimit } from "./query-parameters.ts";

/** `GET {base_session_path}`: a page of the sessions in memory. */
export async function listSessions(
  registry: SessionRegistry,
  req: Request,
  res: Response,
): Promise<void> {
  const limit = pageLimit(req);
  const ids = firstIds(registry, optionalText(req, "after") ?? "", limit + 1);
  const page = ids.slice(0, limit);
  await registry.letGoOfMoved(page.flatMap((id) => registry.find(id) ?? []));
  const sessions = page.flatMap((id) => {
    const session = registry.find(id);
    return session === null ? [] : [listItem(session)];
  });
  const next_after = ids.length > limit ? (page.at(-1) ?? null) : null;
  sendJson(res, { sessions, next_after } satisfies SessionListBody);
}

/**
 * The first ids after a given one, in order, so that a page does not depend on which sessions were used since
 * the previous page. Sorting all ids for each page would block the event loop.
 */
function firstIds(registry: SessionRegistry, after: string, count: number): string[] {
  const ids: string[] = [];
  for (const { session_id } of registry.all()) {
    if (session_id <= after) continue;
    const last = ids.at(-1);
    if (ids.length === count && last !== undefined && session_id > last) continue;
    ids.splice(placeIn(ids, session_id), 0, session_id);
    if (ids.length > count) ids.pop();
  }
  return ids;
}

/** The position of an id in a sorted list. */
function placeIn(ids: readonly string[], session_id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? "") < session_id) low = middle + 1;
    else high = middle;
  }
  return low;
}
