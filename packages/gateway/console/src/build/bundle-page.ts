import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { kitFiles } from "@proj/program/page";
import { type BuildOptions, build, type Plugin } from "esbuild";
import type { PageBundle } from "../serving/page-bundle.ts";

const options = {
  entryPoints: { console: fileURLToPath(new URL("../page/main.tsx", import.meta.url)) },
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
} satisfies BuildOptions;

/** A file has no gateway whose routes an overview could show, and does without its charts. */
const withoutOverview: Plugin = {
  name: "without-overview",
  setup: ({ onLoad }) =>
    onLoad({ filter: /overview-view\.tsx$/ }, ({ path }) => ({
      contents: `import "uplot/dist/uPlot.min.css"; import "./overview.css"; export const OverviewView = () => null;`,
      resolveDir: dirname(path),
    })),
};

/** Builds the page from its sources, in a fraction of a second. */
export async function pageBundle(): Promise<PageBundle> {
  const [parts, whole] = await Promise.all([
    build({ ...options, splitting: true }),
    build({ ...options, plugins: [withoutOverview] }),
  ]);
  const scripts = parts.outputFiles.filter(({ path }) => path.endsWith(".js"));
  const textOf = (ending: string): string =>
    whole.outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
  return {
    scripts: new Map(scripts.map(({ path, text }) => [basename(path), text])),
    whole: textOf(".js"),
    style: `${kitFiles().get("kit.css") ?? ""}${textOf(".css")}`,
  };
}
