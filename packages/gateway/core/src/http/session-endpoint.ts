import type { Request, Response } from "express";
import type { Caller } from "./access-control.ts";
import type { SessionShare } from "./session-shares.ts";

export interface SharingCaller extends Caller {
  /** Of the caller's session key, until the answer has been sent; null: it used another key, or needs none. */
  readonly share: SessionShare | null;
}

/** An endpoint below a session's path, except for model traffic. */
export interface SessionEndpoint {
  readonly method: "GET" | "POST";
  /** Whether the session's own key opens it, besides the keys that open everything. */
  readonly opensToSessionKey: boolean;
  /**
   * Answers a request whose caller and session id are already checked. May throw, or reject with, a
   * CallError.
   */
  serve(
    session_id: string,
    req: Request,
    res: Response,
    caller: SharingCaller,
  ): void | Promise<void>;
}
