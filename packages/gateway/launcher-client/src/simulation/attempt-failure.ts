import type { SimulationResult } from "@proj/gateway-protocol";
import { isInfrastructure } from "./infrastructure.ts";

/** An attempt ends without a reward. */
export class AttemptFailure extends Error {
  override readonly name = "AttemptFailure";
  /** A code of snake_case words. */
  readonly code: string;
  readonly result: SimulationResult | null;
  /** The end of what the runtime or the evaluator printed; null: nothing. */
  readonly last_output: string | null;

  /** The stored form: the code, and an explanation for people. */
  get text(): string {
    return `${this.code}: ${this.message}`;
  }

  /** As it is stored: JSON with the members of the result and `last_output`; null: neither is known. */
  get stored(): string | null {
    const { result, last_output } = this;
    if (last_output === null) return result === null ? null : JSON.stringify(result);
    return JSON.stringify({ ...result, last_output });
  }

  /** Whether neither the agent nor its model was at fault. */
  get isInfrastructure(): boolean {
    return isInfrastructure(this.code);
  }

  constructor(
    code: string,
    message: string,
    known: Partial<Pick<AttemptFailure, "result" | "last_output">> = {},
  ) {
    super(message);
    this.code = code;
    this.result = known.result ?? null;
    this.last_output = known.last_output ?? null;
  }
}
