import { readFile } from "node:fs/promises";
import { readRubric } from "@proj/launcher-client";
import { UsageError } from "@proj/program";
import type { Rubric } from "@proj/session-store";
import { parse } from "yaml";

/** @throws UsageError it cannot be read, or is not a rubric */
export async function rubricIn(file: string): Promise<Rubric> {
  try {
    return readRubric(parse(await readFile(file, "utf8")));
  } catch (error) {
    throw new UsageError(`--rubric: ${file}: ${error instanceof Error ? error.message : error}`);
  }
}
