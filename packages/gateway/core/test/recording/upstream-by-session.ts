import {
  type RecordedRequest,
  type ReplyHandler,
  startFaultyUpstream,
  waitFor,
} from "@proj/test-kit";

/** One upstream for all tests of a file; each test answers the requests of its own sessions. */
export interface UpstreamBySession {
  readonly url: string;
  /**
   * Answers a session's requests with one handler each; the last one also answers all that follow. Without a
   * handler, requests wait for the test.
   */
  answer(session_id: string, ...handlers: readonly ReplyHandler[]): void;
  /** The requests of a session so far. */
  requests(session_id: string): readonly RecordedRequest[];
  /** A session's request, once its body is complete; the first is 1. */
  request(session_id: string, order?: number): Promise<RecordedRequest>;
  close(): Promise<void>;
}

export async function startUpstreamBySession(): Promise<UpstreamBySession> {
  const handlers = new Map<string, ReplyHandler[]>();
  const requests = new Map<string, RecordedRequest[]>();
  const upstream = await startFaultyUpstream((request, reply) => {
    const session_id = request.headers["x-session-id"] ?? "";
    requests.set(session_id, [...(requests.get(session_id) ?? []), request]);
    const left = handlers.get(session_id) ?? [];
    const handler = left.length > 1 ? left.shift() : left[0];
    return handler?.(request, reply);
  });
  return {
    url: upstream.url,
    answer: (session_id, ...all) => void handlers.set(session_id, [...all]),
    requests: (session_id) => requests.get(session_id) ?? [],
    request: (session_id, order = 1) =>
      waitFor(
        () => requests.get(session_id)?.[order - 1],
        `request ${order} of session ${session_id}`,
      ),
    close: () => upstream.close(),
  };
}
