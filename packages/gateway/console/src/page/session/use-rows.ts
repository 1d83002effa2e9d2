import { useEffect, useMemo, useState } from "preact/hooks";
import { useRefused, useSource } from "../data/use-answer.ts";
import { SessionRows } from "./rows.ts";
import { type Live, useLive } from "./use-live.ts";

export interface ReadRows {
  /** Null until the session's path is known. */
  readonly rows: SessionRows | null;
  readonly live: Live;
  readonly error: Error | null;
  /** Reads the payload of the row at this position, if it is missing. */
  readonly readPayload: (position: number) => void;
}

/** A session's rows, stored and new. @param path the session's path */
export function useRows(path: string | null): ReadRows {
  const source = useSource();
  const refused = useRefused();
  const [, redraw] = useState(0);
  const [error, setError] = useState<Error | null>(null);
  const stop = useMemo(() => new AbortController(), []);
  useEffect(() => () => stop.abort(), []);
  const rows = useMemo(
    () =>
      path === null ? null : new SessionRows(source, path, () => redraw((drawn) => drawn + 1)),
    [source, path],
  );
  const failed = (error: unknown): void => {
    if (stop.signal.aborted || !(error instanceof Error)) return;
    setError(error);
    refused(error);
  };
  const readOn = (): void => void rows?.readOn(stop.signal).catch(failed);
  useEffect(readOn, [rows]);
  const live = useLive(path, readOn, (added) => {
    void rows?.follow(added, stop.signal).catch(failed);
  });
  const readPayload = (position: number): void => {
    if (rows?.whole(position) === null) void rows.read(position, stop.signal).catch(failed);
  };
  return { rows, live, error, readPayload };
}
