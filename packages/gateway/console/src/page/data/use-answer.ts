import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { type Source, SourceError } from "./source.ts";

export const SourceContext = createContext<Source | null>(null);

export function useSource(): Source {
  const source = useContext(SourceContext);
  if (source === null) throw new Error("the component has no source");
  return source;
}

/** Takes why the server wants a key, and has the page ask for one. */
export const RefusalContext = createContext<(message: string) => void>(() => {});

/** Has the page ask for a key if an error says that one is wanted. */
export function useRefused(): (error: unknown) => void {
  const refused = useContext(RefusalContext);
  return (error) => {
    if (error instanceof SourceError && error.status === 401) refused(error.message);
  };
}

/** As `useAnswer`, for what a view cannot do without. */
/** After an error, if the interval depends on the answer. */
const retryMs = 5_000;

type Ask<Body> = (source: Source, signal: AbortSignal) => Promise<Body>;
type Every<Body> = number | ((body: Body) => number);

export interface Asked<Body> {
  /** The latest answer; it stays while a newer one is awaited. */
  readonly body: Body | null;
  readonly error: Error | null;
}

/**
 * Asks, and asks again while the page is visible.
 * @param ask may change only when `key` does
 * @param everyMs 0: once; it may depend on the answer
 */
export function useAnswer<Body>(
  key: string,
  ask: Ask<Body>,
  everyMs: Every<Body> = 0,
): Asked<Body> {
  const source = useSource();
  const [asked, setAsked] = useState<Asked<Body> & { key: string }>(none(key));
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async (): Promise<void> => {
      // A tab may be opened in the background, and looked at later.
      if (document.visibilityState !== "visible") {
        const once = { once: true, signal: stop.signal };
        document.addEventListener("visibilitychange", () => void run(), once);
        return;
      }
      let again = typeof everyMs === "number" ? everyMs : retryMs;
      try {
        const body = await ask(source, stop.signal);
        if (typeof everyMs === "function") again = everyMs(body);
        if (!stop.signal.aborted) setAsked({ key, body, error: null });
      } catch (error) {
        if (stop.signal.aborted || !(error instanceof Error)) return;
        setAsked((before) => ({ ...(before.key === key ? before : none<Body>(key)), error }));
      }
      if (again > 0 && source.isLive && !stop.signal.aborted) timer = setTimeout(run, again);
    };
    void run();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key, source, typeof everyMs === "number" ? everyMs : null]);
  return asked.key === key ? asked : none(key);
}

/** As `useAnswer`, for what a view cannot do without: without a key that opens it, the page asks for one. */
export function useViewAnswer<Body>(
  key: string,
  ask: Ask<Body>,
  everyMs: Every<Body> = 0,
): Asked<Body> {
  const refused = useRefused();
  const asked = useAnswer(key, ask, everyMs);
  useEffect(() => refused(asked.error), [asked.error]);
  return asked;
}

const none = <Body>(key: string): Asked<Body> & { key: string } => ({
  key,
  body: null,
  error: null,
});
