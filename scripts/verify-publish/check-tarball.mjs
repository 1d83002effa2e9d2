import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { readJson } from "./packages.mjs";
import { readmeProblems } from "./readme.mjs";
import { run, withNode } from "./run.mjs";

/** The largest size of each tarball, in kB (1000 bytes). */
const sizeBudgets = readJson(join(import.meta.dirname, "size-budgets.json"));
const neededFiles = ["README.md", "LICENSE", "CHANGELOG.md", "package.json"];
const packedFiles =
  /^(README\.md|LICENSE|CHANGELOG\.md|package\.json|dist\/.+\.(js|d\.ts)|(?:dist|src)\/page\/.+\.(js|css|html)|dist\/workers\/haproxy\.cfg|src\/output\/bundled-rows\.jsonl|recipes\/[\w-]+\.yaml)$/;
const testFiles = /(^|\/)(test|examples)\/|\.test\./;
const neededFields = [
  "description",
  "keywords",
  "license",
  "engines",
  "sideEffects",
  "files",
  "exports",
];
const attw = fileURLToPath(
  new URL("dist/index.js", import.meta.resolve("@arethetypeswrong/cli/package.json")),
);

/** @throws Error naming everything that is wrong with the tarball */
export async function checkTarball(published) {
  const { name, tarball } = published;
  const bytes = await readFile(tarball);
  const names = (await run("tar", ["-tzf", tarball])).trim().split("\n");
  const files = names.map((path) => path.replace(/^package\//, ""));
  const text = await run("tar", ["-xzOf", tarball, "package/package.json"]);
  const manifest = JSON.parse(text);

  const problems = [
    ...files
      .filter((file) => !packedFiles.test(file) || testFiles.test(file))
      .map((file) => `packs ${file}, which no user needs`),
    ...neededFiles.filter((file) => !files.includes(file)).map((file) => `has no ${file}`),
    ...neededFields
      .filter((field) => manifest[field] === undefined)
      .map((field) => `package.json has no ${field}`),
    ...['"workspace:', '"catalog:']
      .filter((word) => text.includes(word))
      .map((word) => `package.json still has ${word}`),
    ...(JSON.stringify(manifest.exports).includes("@proj/source")
      ? ["exports still have @proj/source"]
      : []),
    ...Object.values(manifest.bin ?? {})
      .filter((file) => JSON.stringify(manifest.exports).includes(`"${file}"`))
      .map((file) => `exports ${file}: importing the package would start the program`),
    // A first release from a developer's machine has no provenance; the workflow requests it.
    ...(published.manifest.publishConfig?.provenance === undefined
      ? []
      : ["publishConfig asks for provenance; only the release workflow may"]),
    ...readmeProblems(published),
    ...sizeProblems(name, bytes.length),
    ...(await publintProblems(bytes, manifest)),
    ...(await typeProblems(tarball)),
  ];
  if (problems.length > 0)
    throw new Error(problems.map((problem) => `${name}: ${problem}`).join("\n"));
}

function sizeProblems(name, size) {
  const budget = sizeBudgets[name];
  if (budget === undefined) return ["has no budget in scripts/verify-publish/size-budgets.json"];
  if (size <= budget * 1000) return [];
  return [`is ${Math.ceil(size / 1000)} kB packed; its budget is ${budget} (size-budgets.json)`];
}

async function publintProblems(bytes, manifest) {
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const { messages } = await publint({ pack: { tarball }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, manifest)}`);
}

async function typeProblems(tarball) {
  const args = [
    attw,
    tarball,
    "--profile",
    "esm-only",
    "--no-definitely-typed",
    "--format",
    "ascii",
  ];
  const env = withNode(dirname(process.execPath));
  return run(process.execPath, args, { env }).then(
    () => [],
    (error) => [`attw: ${error.message}`],
  );
}
