import { mergeConfig, type ViteUserConfig } from "vitest/config";
// @boundaries-ignore what packages that start programs share is at the root
import { bundled } from "../../../vitest.bundled.ts";
// @boundaries-ignore the shared settings of packages that need PostgreSQL are at the root
import shared from "../../../vitest.postgres.ts";

const ofMemory = [
  "evaluator/evaluation-document",
  "evaluator/http-evaluator",
  "runtime/command-runtime",
];

const programs = [
  "archive/killed-archive",
  "crash/gateway",
  "crash/launcher",
  "crash/follow",
  "tasks/task-launcher",
].map((name) => new URL(`test/${name}-program.ts`, import.meta.url));

/** All tests run with SQLite; those that use the storage also run with PostgreSQL. */
const config: ViteUserConfig = mergeConfig(
  mergeConfig(shared, bundled({ programs, withStorageThreads: true })),
  {
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: "sqlite",
            exclude: ofMemory.map((name) => `test/${name}.test.ts`),
            env: { TEST_STORE: "sqlite" },
          },
        },
        {
          extends: true,
          test: {
            name: "postgres",
            exclude: [
              "test/*.test.ts",
              "test/**/*.pypi.test.ts",
              "test/{acp,child-process,evaluator,gateway,network,preflight,recipes}/**",
              "test/{runtime,sandbox,statistics,tasks,workdir}/**",
            ],
            env: { TEST_STORE: "postgres" },
          },
        },
        // What other tests leave in memory would distort these measurements.
        {
          extends: true,
          test: {
            name: "memory",
            exclude: [
              "test/*.test.ts",
              "test/!(evaluator|runtime)/**",
              "test/evaluator/!(evaluation-document|http-evaluator).test.ts",
              "test/runtime/!(command-runtime).test.ts",
            ],
            isolate: true,
          },
        },
      ],
    },
  },
);

export default config;
