import type { RowPage } from "@proj/session-store";
import { useEffect, useState } from "preact/hooks";
import { SourceError } from "../data/source.ts";
import { useSource } from "../data/use-answer.ts";

/** What a session is doing at the moment. */
export interface Live {
  readonly status: LiveStatus | null;
  readonly running: readonly RunningCall[];
}

export interface LiveStatus {
  readonly status: string;
  readonly in_flight: number;
  /** Negative: no budget of steps. */
  readonly max_steps: number;
  readonly tokens: number;
  /** Negative: no budget of tokens. */
  readonly max_tokens: number;
  readonly cost_nano_usd: number;
  /** Null: no budget of money. */
  readonly max_cost_usd: number | null;
  readonly models: Readonly<Record<string, { readonly steps: number; readonly stopped: boolean }>>;
  readonly close: { readonly reason: string | null; readonly telemetry: string } | null;
}

export interface RunningCall {
  readonly request_id: string;
  readonly model: string;
  /** 0: the call waits for a place on its route. */
  readonly step_id: number;
  readonly endpoint: string;
  readonly started_at: string;
  /** The answer so far, in the form that it will have; null: none yet, or it cannot be read while it streams. */
  readonly response: string | null;
}

const retryMs = 3_000;

/** Follows a session, and reconnects, until the view is left. @param path the session's path */
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
            // Rows stored before the connection are not sent.
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
        // 204: there is nothing to follow, now or later.
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
