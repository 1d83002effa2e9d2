import type { StoredSession, StoredSessionsBody } from "@proj/session-store/answers";
import { useEffect, useRef, useState } from "preact/hooks";
import { useRefused, useSource, useViewAnswer } from "../data/use-answer.ts";
import { useKeys } from "../shell/keys.ts";
import { hrefOf, replacePlace, type ViewProps } from "../shell/location.ts";
import { moveAmong } from "../shell/move-among.ts";
import { FilterField } from "../table/filter-field.tsx";
import { TableHead } from "../table/table-head.tsx";
import { Notice } from "../text/notice.tsx";
import { filtersOf } from "./filters.ts";
import { FirstSteps } from "./first-steps.tsx";
import { SessionRow } from "./session-row.tsx";

const refreshMs = 5_000;
const columns = [
  ...([["Session"], ["State"], ["Model"], ["Calls", "number"], ["Tokens", "number"]] as const),
  ...([["Cost", "number"], ["Reward", "number"], ["Last message"], ["Latest"]] as const),
];

/** All stored sessions, the latest first, and what those in memory are doing. */
export function SessionsView({ query }: ViewProps) {
  const typed = query.get("q") ?? "";
  const source = useSource();
  const search = new URLSearchParams({ stored: "true", ...filtersOf(typed) }).toString();
  const { body, error } = useViewAnswer(
    search,
    async (source, signal) =>
      source.ask<StoredSessionsBody>(`${await source.sessionsPath()}?${search}`, signal),
    refreshMs,
  );
  const { sessions, next_before, readMore, isReading, hasFailed } = useFurther(search, body);
  // A request covers a bounded number of rows, so a search repeats it, further and further back.
  const looksOn = sessions.length === 0 && next_before !== null && source.isLive && !hasFailed;
  useEffect(() => {
    if (looksOn && !isReading) void readMore();
  }, [looksOn, isReading, next_before]);
  const field = useRef<HTMLInputElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const move = (by: number): boolean => moveAmong(table.current, "a.entry", by);
  useKeys({
    "/": () => field.current?.focus(),
    Escape: () => field.current?.blur(),
    j: () => move(1),
    k: () => move(-1),
    n: () => moveAmong(table.current, "tr.failed a.entry", 1),
  });
  return (
    <div class="page">
      <FilterField
        {...{ field, typed, onTyped: setFilter }}
        name="Filter sessions"
        placeholder="model:policy  status:failed  tool:bash  reward<1  or any words"
      />
      <Notice error={error} />
      {body !== null &&
        sessions.length === 0 &&
        next_before === null &&
        (typed === "" ? <FirstSteps /> : <p class="empty">No session matches.</p>)}
      {sessions.length > 0 && (
        <table ref={table} class="list">
          <caption class="hidden">Sessions, by their latest step</caption>
          <TableHead columns={columns} />
          <tbody>
            {sessions.map((session) => (
              <SessionRow key={session.session_id} session={session} />
            ))}
          </tbody>
        </table>
      )}
      {looksOn && (
        <p class="empty" role="status">
          Nothing found yet. Loading older sessions …
        </p>
      )}
      {next_before !== null && source.isLive && !looksOn && (
        <p>
          <button type="button" disabled={isReading} onClick={() => void readMore()}>
            {isReading ? "Loading older sessions …" : "Load older sessions"}
          </button>
        </p>
      )}
      {body === null && error === null && <p class="empty">Loading sessions …</p>}
    </div>
  );
}

const setFilter = (q: string): void => replacePlace(hrefOf("sessions", null, { q }));

/** The first page, which is kept up to date, and older pages as they were when they were read. */
function useFurther(search: string, first: StoredSessionsBody | null) {
  const source = useSource();
  const refused = useRefused();
  const [further, setFurther] = useState<Further>(nothing(search));
  const [isReading, setReading] = useState(false);
  /** The search whose next page could not be read. */
  const [failed, setFailed] = useState<string | null>(null);
  const current = further.search === search ? further : nothing(search);
  const sessions = new Map<string, StoredSession>();
  for (const session of [...(first?.sessions ?? []), ...current.sessions])
    if (!sessions.has(session.session_id)) sessions.set(session.session_id, session);
  const next_before =
    current.next_before === undefined ? (first?.next_before ?? null) : current.next_before;
  const readMore = async (): Promise<void> => {
    setReading(true);
    setFailed(null);
    try {
      const page = await source.ask<StoredSessionsBody>(
        `${await source.sessionsPath()}?${search}&before=${encodeURIComponent(next_before ?? "")}`,
      );
      setFurther({
        search,
        sessions: [...current.sessions, ...page.sessions],
        next_before: page.next_before,
      });
    } catch (error) {
      setFailed(search);
      refused(error);
    }
    setReading(false);
  };
  const hasFailed = failed === search;
  return { sessions: [...sessions.values()], next_before, readMore, isReading, hasFailed };
}

interface Further {
  readonly search: string;
  readonly sessions: readonly StoredSession[];
  /** Undefined: no older page was read. */
  readonly next_before: StoredSessionsBody["next_before"] | undefined;
}

const nothing = (search: string): Further => ({ search, sessions: [], next_before: undefined });
