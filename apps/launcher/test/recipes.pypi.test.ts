import { isLeftOutWithoutPython, programsPython, pythonPrograms, pythonWith } from "@proj/test-kit";
import { describe, test } from "vitest";
import { playRecipe } from "./agents/play-recipe.ts";
import { lastWord, type Script, startScriptedModel } from "./agents/scripted-model.ts";
import { startGateway } from "./launcher.ts";

/** Programs by the names of their recipes, each from PyPI, pinned. */
const inShell: Script = { commands: ["echo one >> steps.txt", "echo two >> steps.txt"] };
const programs = [
  {
    name: "aider",
    packages: pythonPrograms.aider,
    // It writes files from the model's text.
    script: { commands: [], says: `steps.txt\n\`\`\`\none\ntwo\n\`\`\`\n${lastWord}` },
  },
  { name: "vibe", packages: pythonPrograms.vibe, script: inShell },
  { name: "openhands", packages: pythonPrograms.openhands, script: inShell },
];
const installed = await Promise.all(
  programs.map(async (program) => ({
    ...program,
    python: await pythonWith(program.packages, programsPython),
  })),
);

describe.each(installed)("$name", ({ name, python, script }) => {
  const leftOut = isLeftOutWithoutPython(`the program ${name} (Python 3.12)`, python);

  test.skipIf(leftOut)("works on a task by its recipe", { timeout: 200_000 }, async () => {
    await using model = await startScriptedModel(script);
    await using gateway = await startGateway({ llm_routes: { demo: { base_url: model.url } } });
    const steps = script.commands.length + 1;
    await playRecipe(gateway, { name, bin: python?.bin ?? "", steps });
  });
});
