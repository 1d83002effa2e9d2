import type { PaperBrokerConfig } from "../server/paper-broker.ts";
import { configShape, priceShapes } from "./config-shape.ts";
import { problemsOf } from "./shape.ts";

/** What is wrong with a configuration, all of it, each on a line of its own. Holds no secret. */
export class BrokerConfigError extends Error {
  override readonly name = "BrokerConfigError";
}

/**
 * Checks the form of a configuration as it was read from a file. Each of the `tokens` may be a
 * reference, `${NAME}`, to a variable of the environment.
 * @throws BrokerConfigError
 */
export function parseBrokerConfig(
  value: unknown,
  env: Readonly<Record<string, string | undefined>> = process.env,
): PaperBrokerConfig {
  const wrong = [...problemsOf(configShape, value, "")];
  if (wrong.length === 0) wrong.push(...priceProblems(value));
  if (!isConfig(value, wrong)) throw new BrokerConfigError(wrong.join("\n"));
  return { ...value, tokens: value.tokens.map((token) => fromEnvironment(token, env)) };
}

function isConfig(value: unknown, wrong: readonly string[]): value is PaperBrokerConfig {
  return wrong.length === 0 && typeof value === "object" && value !== null;
}

function* priceProblems(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null || !("prices" in value)) return;
  const { type }: { readonly type?: unknown } = Object(value.prices);
  const shape = priceShapes[String(type)];
  if (shape === undefined) {
    yield `prices.type must be one of ${Object.keys(priceShapes).join(", ")}`;
  } else yield* problemsOf(shape, value.prices, "prices");
}

function fromEnvironment(token: string, env: Readonly<Record<string, string | undefined>>): string {
  const name = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(token)?.[1];
  if (name === undefined) return token;
  const found = env[name];
  if (found !== undefined) return found;
  throw new BrokerConfigError(`tokens refers to the variable ${name}, which is not set`);
}
