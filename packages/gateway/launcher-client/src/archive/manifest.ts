import { createHash } from "node:crypto";
import { z } from "zod";
import { ArchiveError } from "./archive-error.ts";
import { manifestFolder, manifests, type TableName, tableNames } from "./layout.ts";
import type { ArchivePlace } from "./places/place.ts";

/**
 * What a part of an archive consists of. Its manifest is written last: what no manifest names is not archived. Parts of a
 * job never share a rollout.
 */
export interface PartManifest {
  readonly version: 1;
  readonly job_id: string;
  readonly part: number;
  readonly files: readonly PartFile[];
  /** Hashes of the large values that its rows name. */
  readonly values: readonly string[];
  readonly rollouts: readonly PartRollout[];
}

export interface PartFile {
  readonly table: TableName;
  readonly path: string;
  readonly bytes: number;
  readonly rows: number;
  readonly sha256: string;
}

export interface PartRollout {
  readonly session_id: string;
  readonly simulation_id: string;
  readonly steps: number;
  /** Characters in all requests, answers and messages. */
  readonly payload: number;
  /** Of the rollout's rows as they were read from the database. */
  readonly sha256: string;
}

const sha256: z.ZodType<string> = z.string().regex(/^[0-9a-f]{64}$/);
const file: z.ZodType<PartFile> = z.object({
  table: z.enum(tableNames),
  path: z.string(),
  bytes: z.int(),
  rows: z.int(),
  sha256: sha256,
});
const rollout: z.ZodType<PartRollout> = z.object({
  session_id: z.string(),
  simulation_id: z.string(),
  steps: z.int(),
  payload: z.int(),
  sha256: sha256,
});
const schema: z.ZodType<PartManifest> = z.object({
  version: z.literal(1),
  job_id: z.string(),
  part: z.int(),
  files: z.array(file),
  values: z.array(sha256),
  rollouts: z.array(rollout),
});

/** The manifests of a job, or of all jobs, in the order of their parts. @throws ArchiveError one is damaged */
export async function readManifests(place: ArchivePlace, job_id?: string): Promise<PartManifest[]> {
  const paths = await place.list(job_id === undefined ? manifests : manifestFolder(job_id));
  const read: PartManifest[] = [];
  for (const path of paths.toSorted()) read.push(readManifest(path, await place.get(path)));
  return read;
}

function readManifest(path: string, bytes: Buffer | null): PartManifest {
  try {
    return schema.parse(JSON.parse(bytes?.toString() ?? "null"));
  } catch (error) {
    throw new ArchiveError(`${path} is not the manifest of an archive's part`, { cause: error });
  }
}

export const sha256Of = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("hex");

/** Reads a file of an archive. @throws ArchiveError it is missing or damaged */
export async function getVerified(
  place: ArchivePlace,
  path: string,
  sha256: string,
): Promise<Buffer> {
  const bytes = await place.get(path);
  if (bytes === null) throw new ArchiveError(`${place.address}: ${path} is missing`);
  if (sha256Of(bytes) !== sha256)
    throw new ArchiveError(`${place.address}: ${path} is damaged: its checksum is another one`);
  return bytes;
}
