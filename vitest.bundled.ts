import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export interface Bundled {
  /** URLs of programs that tests start with `startBundled`. */
  readonly programs?: readonly URL[];
  /** Threads of `session-store`, for packages whose tests open many SQLite files. */
  readonly withStorageThreads?: boolean;
  /** Other threads: their modules, by the names that they are started by. */
  readonly threads?: Readonly<Record<string, URL>>;
}

const storageThreads = Object.fromEntries(
  ["reader", "writer", "job", "backup"].map((name) => [
    `@proj/session-store/sqlite-${name}-worker`,
    new URL(`packages/gateway/store/src/sqlite/${name}-worker.ts`, import.meta.url),
  ]),
);

/** Settings for packages whose tests start programs or threads many times: they start as one file, not as hundreds. */
export function bundled({
  programs = [],
  threads = {},
  withStorageThreads = false,
}: Bundled): ViteUserConfig {
  const all = { ...(withStorageThreads ? storageThreads : {}), ...threads };
  const paths = Object.entries(all).map(([name, url]) => [name, fileURLToPath(url)]);
  const toBundle = {
    programs: programs.map((url) => fileURLToPath(url)),
    threads: Object.fromEntries(paths),
  };
  return {
    test: {
      globalSetup: [here("packages/base/test-kit/src/bundles/bundles-setup.ts")],
      setupFiles: [here("packages/base/test-kit/src/bundles/use-bundled-threads.ts")],
      env: { TO_BUNDLE: JSON.stringify(toBundle) },
    },
  };
}
