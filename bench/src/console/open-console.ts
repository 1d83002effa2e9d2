import { setTimeout as delay } from "node:timers/promises";

/** What a console asks that is open in each of its views at once, which is more than one person does. */
export interface OpenConsole {
  /** Answers so far, those of the followed session's events included. */
  readonly answers: () => number;
  /** Answers that were not 200. */
  readonly errors: () => number;
  readonly close: () => Promise<void>;
}

/** As often as the page asks (`refreshMs` in its views), in milliseconds. */
const POLLS = [
  { path: "/v1/sessions?stored=true", everyMs: 5_000 },
  { path: "/v1/overview", everyMs: 2_000 },
] as const;

/** @param session_id one that is live */
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
  // A failure is told where the console is closed.
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
