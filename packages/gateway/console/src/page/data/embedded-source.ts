import type { RowPage, StoredRow } from "@proj/session-store";
import { type Source, SourceError, type WholeSteps } from "./source.ts";

/** The answers that are embedded in the page, by path, and the place where it opens; null: the page came from a server. */
export function embeddedSource(): Source | null {
  const data = document.getElementById("data")?.textContent;
  if (!data) return null;
  const answers = new Map<string, unknown>(Object.entries(JSON.parse(data)));
  const start = answers.get("start");
  if (location.hash === "" && typeof start === "string") history.replaceState(null, "", start);
  return {
    isLive: false,
    async ask<Body>(target: string) {
      const { pathname, searchParams } = new URL(target, "http://localhost");
      const after = Number(searchParams.get("after"));
      const limit = Number(searchParams.get("limit") ?? 1);
      const pathOfRows = pathname.replace(/\/steps$/, "/rows");
      const answer = answers.get(pathOfRows);
      if (answer === undefined) throw new SourceError(404, "This file does not contain it.");
      // The file has all rows at once; the page asks for them in pages.
      if (pathOfRows !== pathname) return wholeStep(answer as RowPage, after) as Body;
      return (
        pathname.endsWith("/rows") ? pageOf(answer as RowPage, after, limit) : answer
      ) as Body;
    },
    hasGateway: async () => false,
    send: async () => {
      throw new SourceError(0, "A file cannot do that: it only shows what it contains.");
    },
    sessionsPath: async () => "/v1/sessions",
    follow: async () => {},
    useKey: () => {},
  };
}

function pageOf({ rows }: RowPage, after: number, limit: number): RowPage {
  const shown = rows.filter(({ id }) => id > after).slice(0, limit);
  const last = shown.at(-1);
  const isEnd = last === undefined || last === rows.at(-1);
  return { rows: shown, next_after: isEnd ? null : last.id };
}

/** The row that follows `after`, put together: on its own it has only what it adds to an earlier row. */
function wholeStep({ rows }: RowPage, after: number): WholeSteps {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const row = rows.find(({ id }) => id > after);
  if (row === undefined) return { steps: [] };
  const bytes = historyOf(row, byId);
  const messages = bytes === null ? null : new TextDecoder().decode(bytes);
  const request = requestOf(row, byId);
  return { steps: [{ ...row, messages, request }] };
}

type Rows = ReadonlyMap<number, StoredRow>;

function historyOf(row: StoredRow, rows: Rows): Uint8Array | null {
  const parts: Uint8Array[] = [];
  let needed = Number.POSITIVE_INFINITY;
  for (let link: StoredRow | undefined = row; link !== undefined; ) {
    if (link.messages === null) return null;
    const shared = link.messages_shared ?? 0;
    const own = new TextEncoder().encode(link.messages);
    parts.unshift(own.subarray(0, Math.max(needed - shared, 0)));
    needed = Math.min(needed, shared);
    if (link.messages_base === null) break;
    link = rows.get(link.messages_base);
    if (link === undefined) return null;
  }
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function requestOf(row: StoredRow, rows: Rows): string | null {
  for (let link: StoredRow | undefined = row; link !== undefined; ) {
    if (link.request !== null) return link.request;
    link = rows.get(link.messages_base ?? 0);
  }
  return null;
}
