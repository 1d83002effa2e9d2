import type { ReloadBody } from "@proj/gateway-protocol";

/** The settings that a worker starts with. */
export interface WorkerSettings {
  readonly configPath: string;
  readonly logPath: string;
  readonly socketPath: string;
  readonly number: number;
  readonly workers: number;
}

/** What the parent asks of a worker. */
export type WorkerCommand =
  | { readonly kind: "close"; readonly reason: string }
  | { readonly kind: "reload"; readonly reload_id: number };

/** What a worker tells its parent. */
export type WorkerMessage =
  | { readonly kind: "waiting"; readonly message: string }
  | { readonly kind: "serving" }
  | {
      readonly kind: "reloaded";
      /** Which command it answers: the answer to an earlier one may come late. */
      readonly reload_id: number;
      readonly routes: ReloadBody | null;
      readonly problem: string | null;
    }
  | { readonly kind: "closed"; readonly lost_rows: number }
  | { readonly kind: "failed"; readonly messages: readonly string[]; readonly exitCode: number };
