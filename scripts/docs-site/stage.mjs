// Copies the repository's documents to where VitePress reads them, and adapts their links. A link to a file or
// heading that does not exist is an error.

import { existsSync, globSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { openApiPage } from "./openapi-page.mjs";

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "{docs,apps,packages,bench,clients}/**/*.md",
];
const ignored = /node_modules|CHANGELOG\.md|\/(?:test|fixtures|dist|api|site)\//;

/** @param {string} root the repository's folder @param {string} stage the folder to fill */
export async function stageSite(root, stage) {
  await rm(stage, { recursive: true, force: true });
  const files = globSync(documents, { cwd: root }).filter((file) => !ignored.test(`/${file}`));
  const texts = new Map();
  for (const file of files) texts.set(file, await readFile(join(root, file), "utf8"));
  const problems = [];
  for (const [file, text] of texts) {
    const target = join(stage, pageOf(file));
    await mkdir(dirname(target), { recursive: true });
    const page = withLinks(text, (link) => {
      const { url, problem } = resolve(root, texts, file, link);
      if (problem !== undefined) problems.push(`${file}: ${link}: ${problem}`);
      return url;
    });
    await writeFile(target, page);
  }
  if (problems.length > 0) throw new Error(`links that lead nowhere:\n${problems.join("\n")}`);
  for (const pictures of ["docs/images", "bench/charts"])
    await cp(join(root, pictures), join(stage, pictures), { recursive: true });
  await mkdir(join(stage, "public/openapi"), { recursive: true });
  await mkdir(join(stage, "openapi"), { recursive: true });
  for (const file of globSync("packages/*/*/openapi.yaml", { cwd: root })) {
    const manifest = await readFile(join(root, dirname(file), "package.json"), "utf8");
    const name = JSON.parse(manifest).name.split("/").at(-1);
    const text = await readFile(join(root, file), "utf8");
    await writeFile(join(stage, `public/openapi/${name}.yaml`), text);
    await writeFile(join(stage, `openapi/${name}.md`), openApiPage(text, name));
  }
}

const pageOf = (file) =>
  file === "README.md" ? "index.md" : file.replace(/(^|\/)README\.md$/, "$1index.md");

/** Changes the targets of links (null: no link). Outside code, anything that looks like a tag or template is text. */
function withLinks(text, change) {
  return text
    .split(/(```[\s\S]*?```)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeProse(replaceLinks(part, change))))
    .join("");
}

/** A label may contain code. */
const replaceLinks = (text, change) =>
  text.replaceAll(/\[((?:`[^`\n]*`|[^[\]`])*)\]\(([^()\s]+)\)/g, (_all, label, link) => {
    const url = change(link);
    return url === null ? label : `[${label}](${url})`;
  });

const escapeProse = (text) =>
  text
    .split(/(``[^\n]*?``|`[^`\n]*`)/)
    .map((part, index) =>
      index % 2 === 1
        ? part.replaceAll("{{", "{&#8203;{")
        : part.replaceAll(/<(?!!--)(?=[A-Za-z])/g, "&lt;"),
    )
    .join("");

function resolve(root, texts, from, link) {
  if (/^[a-z]+:/i.test(link)) return { url: link };
  const [path, anchor] = link.split("#");
  let file = path === "" ? from : join(dirname(from), decodeURI(path)).replace(/\/$/, "");
  if (!texts.has(file) && texts.has(join(file, "README.md"))) file = join(file, "README.md");
  if (!existsSync(join(root, file))) return { url: link, problem: "there is no such file" };
  const text = texts.get(file);
  if (text === undefined) {
    if (/\.(png|svg)$/.test(file)) return { url: link };
    const repository = process.env.DOCS_REPOSITORY;
    return { url: repository === undefined ? null : `${repository}/blob/main/${file}` };
  }
  if (anchor !== undefined && !anchorsOf(text).has(anchor))
    return { url: link, problem: "there is no such heading" };
  const page = relative(dirname(pageOf(from)), pageOf(file));
  return {
    url: `${page.startsWith(".") ? page : `./${page}`}${anchor === undefined ? "" : `#${anchor}`}`,
  };
}

/** The anchors that GitHub and VitePress give to headings. */
function anchorsOf(text) {
  const headings = text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, title]) =>
      title
        .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, "$1")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(/\s/g, "-"),
    ),
  );
}
