import type { RunOptions } from "./run-options.ts";

export const commandNames = ["run", "status", "show", "export"] as const;

export type CommandName = (typeof commandNames)[number];

export interface StatusOptions {
  readonly db_path: string;
  readonly job_id: string | null;
  readonly json: boolean;
}

export interface ShowOptions {
  readonly db_path: string;
  readonly session_id: string;
  readonly full: boolean;
  readonly json: boolean;
}

export interface ExportOptions {
  readonly db_path: string;
  readonly job_id: string | null;
  /** Null: standard output. */
  readonly output: string | null;
}

export type Command =
  | { readonly kind: "help"; readonly of: CommandName | null }
  | { readonly kind: "version" }
  | { readonly kind: "run"; readonly options: RunOptions }
  | { readonly kind: "status"; readonly options: StatusOptions }
  | { readonly kind: "show"; readonly options: ShowOptions }
  | { readonly kind: "export"; readonly options: ExportOptions };
