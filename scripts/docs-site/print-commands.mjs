// Prints a Markdown page with the help of each program and command, as the sources of this working copy have it.
// Start it with --conditions=@proj/source.
import { globSync } from "node:fs";
import { runProgram } from "../../packages/base/program/src/index.ts";

process.chdir(import.meta.dirname);
console.log("# Commands\n\nWhat `--help` prints.\n");
for (const main of globSync("../../apps/*/src/main.ts").sort()) {
  const [program] = Object.values(await import(main)).filter((value) => "commands" in value);
  console.log(`## ${program.name}\n\n\`\`\`text`);
  await runProgram(program, ["--help"]);
  console.log("```\n");
  for (const command of Object.keys(program.commands)) {
    console.log(`### ${program.name} ${command}\n\n\`\`\`text`);
    await runProgram(program, [command, "--help"]);
    console.log("```\n");
  }
}
