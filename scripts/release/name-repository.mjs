// Makes every package say where it comes from: `repository`, `homepage` and `bugs` in package.json, and full
// URLs in place of the README's relative links, which would be broken on the registry's page. The release runs
// it before it publishes. Nothing is committed, so a fork needs no changes.
//
//   node scripts/release/name-repository.mjs https://github.com/acme/tools 1f3a… [FOLDER OF THE CLONE]
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix, relative, resolve, sep } from "node:path";
import { findPublicPackages, root } from "../verify-publish/packages.mjs";

const [url, ref, clone = root] = process.argv.slice(2);
if (!/^https:\/\/[^/]+\/[^/]+\/[^/]+$/.test(url ?? "") || ref === undefined) {
  console.error("usage: name-repository.mjs https://HOST/OWNER/NAME REF [CLONE]");
  process.exit(2);
}

for (const { folder, manifest } of findPublicPackages(resolve(clone))) {
  const directory = relative(resolve(clone), folder).split(sep).join("/");
  const named = {
    ...manifest,
    homepage: `${url}/tree/${ref}/${directory}#readme`,
    bugs: `${url}/issues`,
    repository: { type: "git", url: `git+${url}.git`, directory },
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(named, null, 2)}\n`);
  const readme = join(folder, "README.md");
  writeFileSync(readme, withWholeUrls(readFileSync(readme, "utf8"), directory));
}

/** @throws Error a link leads to a file that does not exist */
function withWholeUrls(text, directory) {
  return text.replace(/\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)/g, (_, path, part = "") => {
    const target = posix.normalize(posix.join(directory, path));
    if (!existsSync(join(clone, target)))
      throw new Error(`${directory}/README.md links to ${path}`);
    return `](${url}/blob/${ref}/${target}${part})`;
  });
}
