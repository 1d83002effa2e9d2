import { readFileSync } from "node:fs";

/**
 * Ends a program if its package does not support this version of Node, and says which it needs. It loads nothing else,
 * so that it runs before anything that an older Node cannot load: import the rest after it, with `import()`.
 * @param manifest the package's manifest; its `engines.node` is `>=MAJOR.MINOR`
 */
export function requireNode(manifest: URL, version: string = process.versions.node): void {
  const { name, engines } = JSON.parse(readFileSync(manifest, "utf8"));
  const least = String(engines.node).replace(">=", "");
  if (!isBefore(version, least)) return;
  console.error(
    `${name} needs Node ${least} or newer. This is Node ${version}: ${process.execPath}`,
  );
  process.exit(3);
}

function isBefore(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [minMajor = 0, minMinor = 0] = least.split(".").map(Number);
  return major < minMajor || (major === minMajor && minor < minMinor);
}
