import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { build } from "vite";
import { temporaryFolder } from "./temporary-folder.ts";

export interface Bundle {
  /** One module, minified. */
  readonly code: string;
  /** Size of the code, compressed with gzip. */
  readonly bytes: number;
  readonly warnings: readonly string[];
}

const conditions = ["@proj/source"];

/**
 * Bundles a module for browsers with esbuild, as a front end would.
 * @param entry the module's code @param folder the folder whose packages it finds
 * @throws Error it cannot be bundled, for example because it imports a Node module
 */
export async function bundleWithEsbuild(entry: string, folder: string): Promise<Bundle> {
  const { outputFiles, warnings } = await esbuild.build({
    stdin: { contents: entry, resolveDir: folder, loader: "ts" },
    ...{ bundle: true, minify: true, write: false, format: "esm", platform: "browser" },
    ...{ conditions, target: "es2022", logLevel: "silent" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const [file] = outputFiles;
  return bundleOf(
    file?.text ?? "",
    warnings.map(({ text }) => text),
  );
}

/** Likewise with Vite, which replaces Node's modules with empty ones and warns. */
export async function bundleWithVite(entry: string, folder: string): Promise<Bundle> {
  await using temporary = await temporaryFolder();
  const input = join(temporary.path, "entry.ts");
  await writeFile(input, entry);
  const warnings: string[] = [];
  const result = await build({
    ...{ root: folder, configFile: false, logLevel: "silent" },
    resolve: { conditions: [...conditions, "module", "browser"] },
    plugins: [
      {
        name: "packages of the folder",
        resolveId(source, importer, options) {
          if (importer !== input || /^[./]/.test(source)) return null;
          return this.resolve(source, join(folder, "entry.ts"), options);
        },
      },
    ],
    build: {
      ...{ write: false, target: "es2022", minify: true },
      lib: { entry: input, formats: ["es"], fileName: "entry" },
      rolldownOptions: { onwarn: ({ message }) => void warnings.push(message) },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const chunks = output !== undefined && "output" in output ? output.output : [];
  const code = chunks.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
  return bundleOf(code, warnings);
}

/** What a front end may be bundled with, by name: for tests of each. */
export const bundlers: readonly (readonly [string, typeof bundleWithEsbuild])[] = [
  ["esbuild", bundleWithEsbuild],
  ["Vite", bundleWithVite],
];

const bundleOf = (code: string, warnings: readonly string[]): Bundle => ({
  ...{ code, warnings },
  bytes: gzipSync(code).length,
});
