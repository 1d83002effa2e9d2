import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findModels } from "@proj/deprecation-feed";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { findIds } from "../../src/check/model-tokens.ts";

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

const found = (text: string): string[] => [...findIds(text, known)].map(({ model }) => model);

test.each([
  ['model: "gpt-4"', ["gpt-4"]],
  ["model=gpt-4, fallback=gpt-3.5-turbo.", ["gpt-4", "gpt-3.5-turbo"]],
  ["gpt-4-turbo gpt-4o my-gpt-4 gpt-4.1 gpt-4_old xgpt-4", ["gpt-4-turbo"]],
  [
    "https://api.example/models/gpt-4?x=1 and openai/gpt-4, openai:gpt-4",
    ["gpt-4", "gpt-4", "gpt-4"],
  ],
  ["gpt-4/chat and ft:gpt-3.5-turbo:org", []],
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
])("in %j it finds %j", (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test("a packed file that is one word of slashes takes no time", () => {
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

test("a tree is searched but for dependencies, history, binary and large files, and links", async () => {
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
  const result = await findModels(folder.path, known, { maxFileBytes: 2000 });
  expect(result).toEqual({
    files: 3,
    isCut: false,
    found: [
      { model: "gpt-4", file: join(folder.path, ".env"), line: 1, column: 7 },
      { model: "gpt-3.5-turbo", file: join(folder.path, "a/deep/c.yaml"), line: 1, column: 8 },
      { model: "gpt-4", file: join(folder.path, "b.ts"), line: 2, column: 8 },
    ],
  });
});

test("a search that reaches a bound says that there may be more", async () => {
  await using folder = await tree({ "a.txt": "gpt-4 gpt-4", "b.txt": "gpt-4" });
  const options = [{ maxFiles: 1 }, { maxFound: 1 }];
  for (const bound of options) {
    expect(await findModels(folder.path, known, bound)).toMatchObject({ isCut: true });
  }
});

test("one file can be searched, and one that is not there is an error", async () => {
  await using folder = await tree({ "a.txt": "gpt-4" });
  const file = join(folder.path, "a.txt");
  expect((await findModels(file, known)).found).toMatchObject([{ file, line: 1, column: 1 }]);
  await expect(findModels(join(folder.path, "b.txt"), known)).rejects.toThrow("ENOENT");
});
