import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { findModels } from "@proj/deprecation-feed";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { ModelSearch } from "../../src/check/model-tokens.ts";
import { ModelNames } from "../../src/notice/model-names.ts";

const known = new Set([
  "gpt-4",
  "gpt-4-turbo",
  "gpt-3.5-turbo",
  "anthropic.claude-v2",
  "amazon.nova-canvas-v1:0",
  "meta-llama/llama-3-70b",
  "llama-3-70b",
  "o1",
  "command",
]);

const search = new ModelSearch(new ModelNames(known));
const found = (text: string): string[] => [...search.find(text)].map(({ model }) => model);

test.each([
  ['model: "gpt-4"', ["gpt-4"]],
  ["model=gpt-4, fallback=gpt-3.5-turbo.", ["gpt-4", "gpt-3.5-turbo"]],
  ["gpt-4-turbo gpt-4o my-gpt-4 gpt-4.1 gpt-4_old xgpt-4", ["gpt-4-turbo"]],
  [
    "https://api.example/models/gpt-4?x=1 and openai/gpt-4, openai:gpt-4",
    ["gpt-4", "gpt-4", "gpt-4"],
  ],
  ["gpt-4/chat and ft:gpt-3.5-turbo:org", ["gpt-3.5-turbo"]],
  [
    "arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-canvas-v1:0",
    ["amazon.nova-canvas-v1:0"],
  ],
  ["anthropic.claude-v2:1 is another version", []],
  ["meta-llama/llama-3-70b", ["meta-llama/llama-3-70b"]],
  ["other/llama-3-70b", ["llama-3-70b"]],
  ["run this command; const o1 = 1", []],
  ["model: \"o1\", models: ['command', `o1`]", ["o1", "command", "o1"]],
  ['spawn("command")', []],
  ["models/gpt-4:generateContent, models/gpt-4:streamGenerateContent", ["gpt-4", "gpt-4"]],
  ["us.anthropic.claude-v2 and xx.anthropic.claude-v2", ["anthropic.claude-v2"]],
  ['"model": "o1", "command": "npx", "args": ["-y", "model-server"]', ["o1"]],
  ["models:\n  - o1\n  - command\nother:\n  - command", ["o1", "command"]],
  ["gpt-4 // deprecations-ignore\ngpt-4", ["gpt-4"]],
  ["# deprecations-ignore-next-line\ngpt-4\ngpt-4", ["gpt-4"]],
  ["// deprecations-ignore-file\ngpt-4", []],
])("in %j it finds %j", (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test("a minified file with one long word of slashes is searched quickly", () => {
  expect(found(`${"a/".repeat(500_000)}gpt-4`)).toEqual(["gpt-4"]);
  expect(found(`a${"/".repeat(500_000)}!`)).toEqual([]);
});

async function tree(files: Record<string, string | Buffer>) {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), content);
  }
  return folder;
}

test("a tree is searched except for dependencies, history, binary and large files, and links", async () => {
  await using folder = await tree({
    "b.ts": 'first();\n  use("gpt-4");\n',
    "a/deep/c.yaml": "model: gpt-3.5-turbo",
    "node_modules/x/index.js": "gpt-4",
    "a/node_modules/x.js": "gpt-4",
    ".git/config": "gpt-4",
    "binary.bin": Buffer.from("\0gpt-4"),
    "large.txt": `gpt-4 ${"x".repeat(2000)}`,
    ".env": "MODEL=gpt-4",
  });
  await symlink("..", join(folder.path, "a/loop"));
  const place = (model: string, path: string, line: number, column: number) => ({
    model,
    written: model,
    prefix: "",
    file: join(folder.path, path),
    line,
    column,
  });
  const result = await findModels(folder.path, known, { maxFileBytes: 2000 });
  expect(result).toEqual({
    files: 3,
    isCut: false,
    skipped: [{ file: join(folder.path, "large.txt"), reason: "larger than 2000 bytes" }],
    found: [
      place("gpt-4", ".env", 1, 7),
      place("gpt-3.5-turbo", "a/deep/c.yaml", 1, 8),
      place("gpt-4", "b.ts", 2, 8),
    ],
  });
});

test("a search that reaches a limit says that there may be more", async () => {
  await using folder = await tree({ "a.txt": "gpt-4 gpt-4", "b.txt": "gpt-4" });
  const options = [{ maxFiles: 1 }, { maxFound: 1 }];
  for (const bound of options) {
    expect(await findModels(folder.path, known, bound)).toMatchObject({ isCut: true });
  }
});

test("a single file can be searched, and a missing one is an error", async () => {
  await using folder = await tree({ "a.txt": "gpt-4" });
  const file = join(folder.path, "a.txt");
  expect((await findModels(file, known)).found).toMatchObject([{ file, line: 1, column: 1 }]);
  await expect(findModels(join(folder.path, "b.txt"), known)).rejects.toThrow("ENOENT");
});

test("files that .gitignore, .deprecationsignore or the caller exclude are not searched", async () => {
  await using folder = await tree({
    ".gitignore": "dist/\n*.log\n!keep.log\n",
    ".deprecationsignore": "docs\n",
    "dist/a.js": "gpt-4",
    "docs/a.md": "gpt-4",
    "a.log": "gpt-4",
    "keep.log": "gpt-4",
    "src/.gitignore": "/generated.ts\n",
    "src/generated.ts": "gpt-4",
    "src/deep/generated.ts": "gpt-4",
    "test/a.ts": "gpt-4",
  });
  const files = async (options = {}) =>
    (await findModels(folder.path, known, options)).found.map(({ file }) =>
      relative(folder.path, file),
    );
  expect(await files({ exclude: ["test/"] })).toEqual(["keep.log", "src/deep/generated.ts"]);
  expect(await files({ ignoreFiles: false })).toHaveLength(7);
});

test("rules of the repository above a tree apply", async () => {
  await using folder = await tree({
    ".git/HEAD": "ref",
    ".gitignore": "out/\n",
    "packages/a/out/x.ts": "gpt-4",
    "packages/a/x.ts": "gpt-4",
  });
  const { found } = await findModels(join(folder.path, "packages/a"), known);
  expect(found.map(({ file }) => relative(folder.path, file))).toEqual(["packages/a/x.ts"]);
});

test("UTF-16 is recognised as text", async () => {
  const text = Buffer.from("\ufeffmodel = gpt-4", "utf16le");
  await using folder = await tree({ "a.ini": text });
  expect((await findModels(folder.path, known)).found).toMatchObject([{ model: "gpt-4" }]);
});
