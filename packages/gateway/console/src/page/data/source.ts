import type { StoredStep } from "@proj/session-store";

/** Where the page gets its data: a server, or the file that it is in. */
export interface Source {
  /** Whether its data may change. */
  readonly isLive: boolean;
  /** @param path below the server's address @throws SourceError */
  ask<Body>(path: string, signal?: AbortSignal): Promise<Body>;
  /** Whether a gateway answers: it has routes, and it can act. */
  hasGateway(): Promise<boolean>;
  /** POST. @throws SourceError */
  send<Body>(path: string, body: object, signal?: AbortSignal): Promise<Body>;
  /** Path of the list of sessions; a session's own paths are below it. */
  sessionsPath(): Promise<string>;
  /** Follows a session's events until the signal aborts. Resolves at once if there are none to follow. */
  follow(path: string, onEvent: (event: LiveEvent) => void, signal: AbortSignal): Promise<void>;
  useKey(key: string): void;
}

/** A step with its whole history: the members that the page shows. */
export type WholeStep = Pick<StoredStep, "id" | "request" | "response" | "messages">;

/** Answer of `GET {session}/steps`. */
export interface WholeSteps {
  readonly steps: readonly WholeStep[];
}

export interface LiveEvent {
  readonly event: string;
  readonly data: unknown;
}

export class SourceError extends Error {
  /** The answer's status; 0: the server did not answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const sessionPath = (base: string, session_id: string): string =>
  `${base}/${encodeURIComponent(session_id)}`;
