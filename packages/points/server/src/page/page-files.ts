import { rankings } from "@proj/points-client/wire";
import { kitFiles, packedFile, readFiles, type StaticFile } from "@proj/program/page";
import { type PageSettings, pageFile } from "./page-file.ts";

/** These files are served unbuilt, so they are published with the sources. */
const folder = new URL("../../src/page/", import.meta.url);
const names = [
  ...["style.css", "main.js", "view.js", "ask.js", "following.js", "leaderboard.js", "address.js"],
  ...["history.js", "prices.js", "short-address.js", "drawing.js"],
  "shown-rankings.js",
];

/** The web page and the files it loads, by path. */
export function pageFiles(settings: PageSettings): ReadonlyMap<string, StaticFile> {
  const page = packedFile("index.html", pageFile(settings));
  const table = ["rankings.js", `export const rankings = ${JSON.stringify(rankings)};\n`] as const;
  const files = [...kitFiles(), ...readFiles(folder, names), table].map(
    ([name, text]) => [`/page/${name}`, packedFile(name, text)] as const,
  );
  return new Map([["/", page], ...files]);
}
