import { agentPrograms, isLeftOut, npmProgram } from "@proj/test-kit";
import { afterAll, beforeAll, describe, test } from "vitest";
import { playRecipe } from "./agents/play-recipe.ts";
import { type ScriptedModel, startScriptedModel } from "./agents/scripted-model.ts";
import { type Gateway, startGateway } from "./launcher.ts";

/** Programs by the names of their recipes, each from npm, pinned. agents.npm.test.ts has the others. */
const programs = await Promise.all(
  [
    { name: "cline", npmPackage: "cline", version: "3.0.65" },
    { name: "copilot", npmPackage: "@github/copilot", version: "1.0.102" },
    { name: "gemini-cli", ...agentPrograms["gemini-cli"] },
    { name: "pi", npmPackage: "@mariozechner/pi-coding-agent", version: "0.73.1" },
  ].map(async (program) => ({
    ...program,
    bin: await npmProgram(program.npmPackage, program.version),
  })),
);

let model: ScriptedModel;
let gateway: Gateway;

beforeAll(async () => {
  model = await startScriptedModel({
    commands: ["echo one >> steps.txt", "echo two >> steps.txt"],
  });
  const endpoints = ["chat_completions", "responses", "messages", "generate_content"];
  gateway = await startGateway({ llm_routes: { demo: { base_url: model.url, endpoints } } });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

describe.each(programs)("$name $version", ({ name, bin }) => {
  const leftOut = isLeftOut(`the program ${name}`, bin !== null, "it needs npm and its registry");

  test.skipIf(leftOut)("works on a task by its recipe", { timeout: 200_000 }, async () => {
    await playRecipe(gateway, { name, bin: bin ?? "", steps: 3 });
  });
});
