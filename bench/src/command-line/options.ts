import { parseArgs } from "node:util";

const OPTIONS = {
  quick: { type: "boolean", default: false },
  force: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
  "no-streams": { type: "boolean", default: false },
  "write-readme": { type: "boolean", default: false },
  rows: { type: "string" },
  before: { type: "string" },
  of: { type: "string" },
  bodies: { type: "string" },
  connections: { type: "string" },
  repetitions: { type: "string" },
  starts: { type: "string", default: "1" },
  window: { type: "string" },
  file: { type: "string" },
  addresses: { type: "string", default: "1000000" },
  "market-minutes": { type: "string", default: "60" },
  bots: { type: "string", default: "20" },
  seed: { type: "string", default: "1" },
  storms: { type: "string" },
  requests: { type: "string", default: "5000" },
  kills: { type: "string", default: "5" },
  races: { type: "string", default: "200" },
  simulations: { type: "string", default: "40" },
} as const;

export type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

interface Arguments {
  readonly values: Values;
  readonly positionals: readonly string[];
}

/** @throws Error with a code ERR_PARSE_ARGS_… */
export const parseArguments = (args: readonly string[]): Arguments =>
  parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });

export function isParseError(error: unknown): error is Error {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
}
