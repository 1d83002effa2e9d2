import { readFileSync } from "node:fs";

/** This package's version; works from `src` and from `dist`. */
export function programVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const isNamed = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isNamed ? String(manifest.version) : "0.0.0";
}
