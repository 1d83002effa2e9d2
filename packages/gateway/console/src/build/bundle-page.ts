import { fileURLToPath } from "node:url";
import { kitFiles } from "@proj/program/page";
import { build } from "esbuild";
import type { PageBundle } from "../serving/page-bundle.ts";

/** Builds the page from its sources, in a fraction of a second. */
export async function pageBundle(): Promise<PageBundle> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../page/main.tsx", import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    outdir: "page",
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    conditions: ["@proj/source"],
    // In a single-file page it is inside a script element, where a comment could end it.
    legalComments: "none",
  });
  const textOf = (ending: string): string =>
    outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
  return { script: textOf(".js"), style: `${kitFiles().get("kit.css") ?? ""}${textOf(".css")}` };
}
