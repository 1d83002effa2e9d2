import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a README tells a new user to install: the package, and what else its examples import. */
export function toInstall({ name, folder }) {
  const commands = readmeOf(folder).matchAll(/npm install ((?:[@\w][\w./@-]* ?)+)/g);
  const named = [...commands].flatMap(([, names]) => names.trim().split(" "));
  return [...new Set([name, ...named])];
}

/** @returns what is wrong with a README for somebody with only the package */
export function readmeProblems({ name, folder, manifest }) {
  const readme = readmeOf(folder);
  const least = manifest.engines.node.replace(">=", "");
  const installed = toInstall({ name, folder });
  const missing = importedBy(readme).filter((one) => !installed.includes(one));
  return [
    ...missing.map(
      (one) => `README.md imports ${one}, but no 'npm install' in it names that package`,
    ),
    ...(readme.includes(`Node ${least} or newer`)
      ? []
      : [`README.md does not say 'Node ${least} or newer'`]),
  ];
}

/** The packages that the README's examples import. */
function importedBy(readme) {
  const blocks = [...readme.matchAll(/^```(?:ts|js)\n(.*?)^```/gms)].map(([, code]) => code);
  const names = blocks.flatMap((code) =>
    [...code.matchAll(/(?:from|import) "([^".][^"]*)"/g)].map(([, name]) => name),
  );
  const packages = names
    .filter((name) => !name.startsWith("node:"))
    .map((name) =>
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
    );
  return [...new Set(packages)];
}

export function readmeOf(folder) {
  return readFileSync(join(folder, "README.md"), "utf8");
}
