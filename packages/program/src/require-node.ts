import { readFileSync } from "node:fs";

/**
 * Ends a program on a Node that its package does not take, and says what it takes. It loads nothing else, so
 * that it comes before what an older Node cannot load: import the rest after it, with `import()`.
 * @param manifest of the package: its `engines.node` is `>=MAJOR.MINOR`
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
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}
