import type { PathIssue } from "@proj/program/configuration";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Program } from "./program.ts";
import { programFormats, programSchema } from "./program-schema.ts";

/** Everything that is wrong with a program, one problem per line. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
}

let validate: ValidateFunction<Program> | undefined;

/** Compiled on first use: programs are only read at startup. */
function validator(): ValidateFunction<Program> {
  if (validate !== undefined) return validate;
  const ajv = new Ajv2020({ allErrors: true });
  for (const [name, isRight] of Object.entries(programFormats))
    ajv.addFormat(name, { validate: isRight });
  validate = ajv.compile<Program>(programSchema);
  return validate;
}

/** Whether a value matches the schema; it may still contradict itself. */
export const isProgram = (value: unknown): value is Program => validator()(value);

/** @throws ProgramError */
export function parseProgram(value: unknown): Program {
  if (!isProgram(value)) throw new ProgramError(validator().errors?.map(describe).join("\n"));
  const contradictions = [...findContradictions(value)].map(
    ({ path, message }) => `${pathText(path)} ${message}`,
  );
  if (contradictions.length > 0) throw new ProgramError(contradictions.join("\n"));
  return value;
}

const pathText = (path: readonly string[]): string => path.join(".").replace(/\.(\d+)/g, "[$1]");

function describe({ instancePath, message, params }: ErrorObject): string {
  const path = pathText(instancePath.split("/").slice(1));
  const what = params.additionalProperty ?? "";
  return [path || "the program", message, what && `("${what}")`].filter(Boolean).join(" ");
}

/** What the schema cannot express. */
export function* findContradictions(program: Program): Generator<PathIssue> {
  for (const [index, pool] of program.promotedPools.entries()) {
    const { startCountTimestamp: start, endCountTimestamp: end } = pool;
    if (end !== undefined && BigInt(end) <= BigInt(start)) {
      const path = ["promotedPools", String(index), "endCountTimestamp"];
      yield { path, message: "must be later than startCountTimestamp" };
    }
  }
  const names = new Set<string>();
  for (const [index, season] of (program.seasons ?? []).entries()) {
    const { name, startTimestamp: start, endTimestamp: end } = season;
    const path = ["seasons", String(index)];
    if (names.has(name)) yield { path: [...path, "name"], message: "is used by two seasons" };
    names.add(name);
    if (end !== undefined && BigInt(end) <= BigInt(start))
      yield { path: [...path, "endTimestamp"], message: "must be later than startTimestamp" };
  }
  for (const [index, { tokenX, tokenY }] of program.swapPairs.entries()) {
    if (tokenX === tokenY)
      yield { path: ["swapPairs", String(index)], message: "must name two tokens" };
  }
}
