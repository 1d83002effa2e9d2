import { mkdir, rm, writeFile } from "node:fs/promises";
import { pageBundle } from "./bundle-page.ts";

const folder = new URL("../../dist/page/", import.meta.url);
const { scripts, whole, style } = await pageBundle();
// The names of parts change with their content.
await rm(folder, { recursive: true, force: true });
await mkdir(new URL("scripts/", folder), { recursive: true });
for (const [name, text] of scripts) await writeFile(new URL(`scripts/${name}`, folder), text);
await writeFile(new URL("whole.js", folder), whole);
await writeFile(new URL("console.css", folder), style);
