import type { Request, Response } from "express";
import type { Caller } from "./access-control.ts";

/** What is below a session's path, model traffic aside. */
export interface SessionEndpoint {
  readonly method: "GET" | "POST";
  /** Whether the session's own key opens it, as well as the keys that open everything. */
  readonly opensToSessionKey: boolean;
  /** Answers a request whose caller and session id were checked. May throw, or reject with, a CallError. */
  serve(session_id: string, req: Request, res: Response, caller: Caller): void | Promise<void>;
}
