import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { etagOf } from "../http/fresh-reply.ts";
import { type PageSettings, pageFile } from "./page-file.ts";

/** They are served as they are, so they are published with the sources. */
const folder = new URL("../../src/page/", import.meta.url);
const names = [
  "style.css",
  "main.js",
  "address.js",
  "ask.js",
  "leaderboard.js",
  "numbers.js",
  "prices.js",
];

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

export interface PageFile {
  readonly type: string;
  readonly body: string;
  readonly etag: string;
}

/** The page for people and what it loads, by path. */
export function pageFiles(settings: PageSettings): ReadonlyMap<string, PageFile> {
  const page = fileOf("text/html; charset=utf-8", pageFile(settings));
  const files = names.map((name): [string, PageFile] => {
    const type = types[extname(name)] ?? "application/octet-stream";
    return [`/page/${name}`, fileOf(type, readFileSync(new URL(name, folder), "utf8"))];
  });
  return new Map([["/", page], ...files]);
}

const fileOf = (type: string, body: string): PageFile => ({ type, body, etag: etagOf(body) });
