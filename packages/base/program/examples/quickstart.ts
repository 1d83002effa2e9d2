import assert from "node:assert/strict";
import {
  defineCommand,
  exitCode,
  oneOperand,
  type Program,
  portOption,
  runProgram,
} from "@proj/program";

const greet = defineCommand({
  name: "greet",
  summary: "greet somebody",
  operand: oneOperand("NAME", "who to greet"),
  options: { port: portOption("the port to greet on") },
  async run({ operand, options }) {
    console.log(`Hello ${operand} on ${options.port ?? "every port"}`);
    return exitCode.done;
  },
});

export const greeter: Program = {
  name: "greeter",
  manifest: new URL("../package.json", import.meta.url),
  about: "Greets people.",
  // In an app: `async () => (await import("./greet.ts")).greet`, which loads it when it is called.
  commands: { greet: async () => greet },
};

// A program's `bin.ts` does `await startProgram(greeter)` instead.
assert.equal(await runProgram(greeter, ["greet", "Ada", "-p", "80"]), 0);
assert.equal(await runProgram(greeter, ["greet", "--prot", "80"]), 2);
