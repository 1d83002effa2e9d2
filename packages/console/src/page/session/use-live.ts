import type { RowPage } from "@proj/session-store";
import { useEffect, useState } from "preact/hooks";
import { SourceError } from "../data/source.ts";
import { useSource } from "../data/use-answer.ts";

/** What a session is doing now. */
export interface Live {
  readonly status: LiveStatus | null;
  readonly running: readonly RunningCall[];
}

export interface LiveStatus {
  readonly status: string;
  readonly in_flight: number;
  readonly max_steps: number;
  readonly models: Readonly<Record<string, { readonly steps: number; readonly stopped: boolean }>>;
  readonly close: { readonly reason: string | null; readonly telemetry: string } | null;
}

export interface RunningCall {
  readonly request_id: string;
  readonly model: string;
  /** 0: it waits for a place on its route. */
  readonly step_id: number;
  readonly endpoint: string;
  readonly started_at: string;
  /** The answer so far, as the object that it will be; null: none yet, or not to be read on its way. */
  readonly response: string | null;
}

const retryMs = 3_000;

/** Follows a session, again and again, until the view is left. @param path the session's */
export function useLive(
  path: string | null,
  onConnected: () => void,
  onRows: (rows: RowPage["rows"]) => void,
): Live {
  const source = useSource();
  const [live, setLive] = useState<Live>({ status: null, running: [] });
  useEffect(() => {
    if (path === null || !source.isLive) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async (): Promise<void> => {
      let isNew = true;
      try {
        await source.follow(
          `${path}/live`,
          ({ event, data }) => {
            // What was stored before it was followed is not sent.
            if (isNew) onConnected();
            isNew = false;
            if (event === "status")
              setLive((before) => ({ ...before, status: data as LiveStatus | null }));
            else if (event === "running")
              setLive((before) => ({ ...before, running: data as RunningCall[] }));
            else if (event === "rows") onRows(data as RowPage["rows"]);
          },
          stop.signal,
        );
      } catch (error) {
        // There is nothing to follow, now or later.
        if (error instanceof SourceError && error.status === 204) return;
      }
      if (!stop.signal.aborted) timer = setTimeout(run, retryMs);
    };
    void run();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [path, source]);
  return live;
}
