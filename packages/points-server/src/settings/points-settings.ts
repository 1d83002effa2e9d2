import type { Program } from "../program/program.ts";

/** All that a server is told, named as in its file. */
export interface PointsSettings {
  readonly listen_host: string;
  readonly listen_port: number;
  readonly prefix: string;
  readonly db_url: string;
  readonly synchronous: "full" | "normal";
  readonly pool_size: number;
  readonly ingest_secret: string | null;
  readonly max_body_bytes: number;
  readonly program: Program;
}
