import { setTimeout as delay } from "node:timers/promises";

/** The requests of a console that is open in all its views at once: more than one person makes. */
export interface OpenConsole {
  /** Answers so far, including events of the followed session. */
  readonly answers: () => number;
  /** Answers that were not 200. */
  readonly errors: () => number;
  readonly close: () => Promise<void>;
}

/** The page's own intervals (`refreshMs` in its views), in milliseconds. */
const POLLS = [
  { path: "/v1/sessions?stored=true", everyMs: 5_000 },
  { path: "/v1/overview", everyMs: 2_000 },
] as const;

/** @param session_id a live session */
export async function openConsole(port: number, session_id: string): Promise<OpenConsole> {
  const closing = new AbortController();
  const { signal } = closing;
  let answers = 0;
  let errors = 0;
  const ask = async (path: string): Promise<void> => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal });
      for await (const _bytes of response.body ?? []) answers += path.endsWith("/live") ? 1 : 0;
      answers += 1;
      if (!response.ok) errors += 1;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  const poll = async (path: string, everyMs: number): Promise<void> => {
    while (!signal.aborted) {
      await ask(path);
      await delay(everyMs, undefined, { signal }).catch(() => {});
    }
  };
  const session = `/v1/sessions/${session_id}`;
  const asking = Promise.all([
    ...POLLS.map(({ path, everyMs }) => poll(path, everyMs)),
    poll(`${session}/summary`, 10_000),
    ask(`${session}/live`),
  ]);
  // A failure is reported when the console is closed.
  asking.catch(() => {});
  return {
    answers: () => answers,
    errors: () => errors,
    close: async () => {
      closing.abort();
      await asking;
    },
  };
}
