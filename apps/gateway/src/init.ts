import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  type Command,
  defineCommand,
  exitCode,
  oneOperand,
  optional,
  ProgramError,
  UsageError,
  withDefault,
} from "@proj/program";
import { configFor, providers } from "./providers.ts";

const names = Object.keys(providers);

/** The folder that a model is served from, if it is one with a tokenizer. */
const folderOf = (model: string | null): string | null =>
  model !== null && existsSync(join(model, "tokenizer.json")) ? resolve(model) : null;

/** Writes a first configuration for a provider. */
export const init: Command = defineCommand({
  name: "init",
  summary: "write a first configuration for a provider",
  about: `Writes a first configuration with one route. Providers: ${names.join(", ")}.`,
  operand: oneOperand("PROVIDER", names.join(", "), names),
  options: {
    output: withDefault(
      "FILE",
      "where to write it; an existing file is not replaced",
      "gateway.yaml",
      {
        short: "o",
        completion: "files",
      },
    ),
    model: optional(
      "MODEL",
      "the model's name at the provider, for vLLM and SGLang perhaps its folder (default: a common one)",
    ),
  },
  async run({ operand, options: { output, model } }, { calledAs }) {
    const provider = Object.hasOwn(providers, operand) ? providers[operand] : undefined;
    if (provider === undefined) {
      const { closestNames } = await import("@proj/gateway-protocol");
      const [meant] = closestNames(operand, names, 1);
      const hint =
        meant === undefined ? `there are ${names.join(", ")}` : `did you mean '${meant}'?`;
      throw new UsageError(`there is no provider '${operand}'; ${hint}`);
    }
    try {
      await writeFile(output, configFor(operand, provider, model, folderOf(model)), { flag: "wx" });
    } catch (cause) {
      const isThere = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
      if (!isThere) throw cause;
      throw new ProgramError(`${output} already exists; choose another file with --output`);
    }
    const key = provider.variable === null ? [] : [`export ${provider.variable}=…`];
    const commands = [
      ...key,
      `${calledAs} check --config ${output} --live`,
      `${calledAs} --config ${output}`,
    ];
    console.log(`${output} is written. Next:\n${commands.map((text) => `  ${text}`).join("\n")}`);
    return exitCode.done;
  },
});
