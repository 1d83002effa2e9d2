import { readFileSync } from "node:fs";

/** These files are served as they are, so they are published as sources. */
const folder = new URL("../../src/page/files/", import.meta.url);

export const kitNames = ["kit.css", "format.js", "server.js", "server-time.js"] as const;

/** The kit's files for browsers, by name. Servers serve them beside their own. */
export const kitFiles = (): ReadonlyMap<string, string> => readFiles(folder, kitNames);

/** Files of a folder, by name. */
export const readFiles = (from: URL, names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name, readFileSync(new URL(name, from), "utf8")]));
