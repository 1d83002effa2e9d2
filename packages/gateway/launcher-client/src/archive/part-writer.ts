import { constants, zstdCompressSync } from "node:zlib";
import type { EnvironmentRow } from "@proj/session-store";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { schemaOf } from "../training/parquet/columns.ts";
import { ParquetRows } from "../training/parquet/parquet-rows.ts";
import { ArchiveError } from "./archive-error.ts";
import { cutLargeValues } from "./large-values.ts";
import {
  manifestPath,
  type TableName,
  tableNames,
  tablePath,
  tables,
  valuePath,
} from "./layout.ts";
import { type PartFile, type PartManifest, type PartRollout, sha256Of } from "./manifest.ts";
import type { ArchivePlace } from "./places/place.ts";
import { type ArchivedStore, readRolloutRows } from "./rollout-rows.ts";

const maxRollouts = 1000;
/** Of compressed rows, which stay in memory until the part is written. */
const maxBytes = 64 * 1024 * 1024;
/**
 * Steps repeat the messages of earlier ones. In one page, the compression finds them again: up to 16 MiB back, which
 * every reader of zstd allows.
 */
const pageSize = 16 * 1024 * 1024;
const { ZSTD_c_windowLog, ZSTD_c_enableLongDistanceMatching } = constants;
const params = { [ZSTD_c_windowLog]: 24, [ZSTD_c_enableLongDistanceMatching]: 1 };
const compressors = { ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes, { params }) };

interface TableFile {
  readonly bytes: ByteWriter;
  readonly rows: ParquetRows;
}

/** One part of an archive: files of rows for each day, and a manifest that makes them count. */
export class PartWriter {
  readonly #place: ArchivePlace;
  readonly #job_id: string;
  readonly #part: number;
  /** Of all parts of the job: those that are stored already. */
  readonly #values: Set<string>;
  readonly #named = new Set<string>();
  readonly #files = new Map<string, { readonly table: TableName; readonly file: TableFile }>();
  readonly #rollouts: PartRollout[] = [];

  constructor(place: ArchivePlace, job_id: string, part: number, values: Set<string>) {
    this.#place = place;
    this.#job_id = job_id;
    this.#part = part;
    this.#values = values;
  }

  get isFull(): boolean {
    let bytes = 0;
    for (const { file } of this.#files.values()) bytes += file.bytes.offset;
    return this.#rollouts.length >= maxRollouts || bytes >= maxBytes;
  }

  async add(store: ArchivedStore, environment: EnvironmentRow): Promise<void> {
    const { session_id, simulation_id, finished_at, created_at } = environment;
    const day = (finished_at ?? created_at).slice(0, 10);
    const { steps, payload, sha256 } = await readRolloutRows(store, environment, {
      rollout: (row) => this.#addRow("rollouts", day, row, ["env_params", "result"]),
      step: (row) =>
        this.#addRow("steps", day, row, ["meta_json", "request", "response", "messages"]),
      score: (row) => this.#addRow("scores", day, row, []),
    });
    this.#rollouts.push({ session_id, simulation_id, steps, payload, sha256 });
  }

  /** @throws ArchiveError another process has written this part */
  async finish(): Promise<PartManifest> {
    const files: PartFile[] = [];
    for (const [path, { table, file }] of this.#files) {
      await file.rows.finish();
      const bytes = file.bytes.getBytes();
      await this.#place.put(path, bytes);
      const about = { bytes: bytes.length, rows: file.rows.count, sha256: sha256Of(bytes) };
      files.push({ table, path, ...about });
    }
    const manifest: PartManifest = {
      version: 1,
      job_id: this.#job_id,
      part: this.#part,
      files: files.toSorted((a, b) => tableNames.indexOf(a.table) - tableNames.indexOf(b.table)),
      values: [...this.#named],
      rollouts: this.#rollouts,
    };
    const path = manifestPath(this.#job_id, this.#part);
    const text = Buffer.from(`${JSON.stringify(manifest)}\n`);
    if (!(await this.#place.putNew(path, text)))
      throw new ArchiveError(
        `${this.#place.address}: ${path} was written meanwhile. Only one process at a time may archive a job: start again once the other one has ended.`,
      );
    return manifest;
  }

  async #addRow(
    table: TableName,
    day: string,
    row: object,
    columns: readonly string[],
  ): Promise<void> {
    const values = new Map<string, Uint8Array>();
    const cut = cutLargeValues({ ...row }, columns, (sha256, value) => values.set(sha256, value));
    for (const [sha256, value] of values) {
      this.#named.add(sha256);
      if (this.#values.has(sha256)) continue;
      await this.#place.put(valuePath(this.#job_id, sha256), value);
      this.#values.add(sha256);
    }
    await this.#fileOf(table, day).rows.add(cut);
  }

  #fileOf(table: TableName, day: string): TableFile {
    const path = tablePath(table, this.#job_id, day, this.#part);
    const known = this.#files.get(path);
    if (known !== undefined) return known.file;
    const bytes = new ByteWriter();
    const schema = schemaOf(tables[table]);
    const writer = new ParquetWriter({ writer: bytes, schema, codec: "ZSTD", compressors });
    const file = { bytes, rows: new ParquetRows(writer, tables[table], pageSize) };
    this.#files.set(path, { table, file });
    return file;
  }
}
