// Runs a program of a package in the folder that the user stood in when calling pnpm, so that
// relative paths mean what was typed.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const entry = resolve(process.argv[2]);
process.argv.splice(1, 2, entry);
process.chdir(process.env.INIT_CWD ?? process.cwd());
await import(pathToFileURL(entry).href);
