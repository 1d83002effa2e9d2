import { kitFiles, readFiles } from "@proj/program/page";

/** These files are served unbuilt, so they are published with the sources. */
const folder = new URL("../../src/page/", import.meta.url);
const names = [
  ...["style.css", "timeline.css"],
  ...["main.js", "days.js", "filters.js", "status.js", "timeline.js"],
];

/** The files that the page loads, by path. */
export const browserFiles = (): ReadonlyMap<string, string> =>
  new Map(
    [...kitFiles(), ...readFiles(folder, names)]
      .filter(([name]) => name === "kit.css" || names.includes(name))
      .map(([name, text]) => [`page/${name}`, text]),
  );
