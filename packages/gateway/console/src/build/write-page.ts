import { mkdir, writeFile } from "node:fs/promises";
import { pageBundle } from "./bundle-page.ts";

const folder = new URL("../../dist/page/", import.meta.url);
const { script, style } = await pageBundle();
await mkdir(folder, { recursive: true });
await writeFile(new URL("console.js", folder), script);
await writeFile(new URL("console.css", folder), style);
