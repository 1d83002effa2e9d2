import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { Program } from "./program.ts";
import { programFormats, programSchema } from "./program-schema.ts";

/** What is wrong with a program, all of it, each on a line of its own. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
}

/** @throws ProgramError */
export function parseProgram(value: unknown): Program {
  // Compiled for this once: programs are read at a start.
  const ajv = new Ajv2020({ allErrors: true });
  for (const [name, validate] of Object.entries(programFormats)) ajv.addFormat(name, { validate });
  const isProgram = ajv.compile<Program>(programSchema);
  if (!isProgram(value)) throw new ProgramError(isProgram.errors?.map(describe).join("\n"));
  const contradictions = [...findContradictions(value)];
  if (contradictions.length > 0) throw new ProgramError(contradictions.join("\n"));
  return value;
}

function describe({ instancePath, message, params }: ErrorObject): string {
  const path = instancePath
    .slice(1)
    .replace(/\/(\d+)/g, "[$1]")
    .replaceAll("/", ".");
  const what = params.additionalProperty ?? "";
  return [path || "the program", message, what && `("${what}")`].filter(Boolean).join(" ");
}

/** What no schema can say. */
function* findContradictions(program: Program): Generator<string> {
  for (const [index, pool] of program.promotedPools.entries()) {
    const { startCountTimestamp: start, endCountTimestamp: end } = pool;
    if (end !== undefined && BigInt(end) <= BigInt(start)) {
      yield `promotedPools[${index}].endCountTimestamp must be later than startCountTimestamp`;
    }
  }
  for (const [index, { tokenX, tokenY }] of program.swapPairs.entries()) {
    if (tokenX === tokenY) yield `swapPairs[${index}] must name two tokens`;
  }
}
