import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { packedFile, pageHeaders, type StaticFile, sendFile } from "@proj/program/page";
import { pageBundle } from "#page-bundle";

/** The console's path on a server. */
export const consolePath = "/console";

const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>Console</title>`;
const body = `<div id="app"></div><noscript>The console needs JavaScript.</noscript>`;

let loading: Promise<ReadonlyMap<string, StaticFile>> | null = null;

/** The files by their paths. They are built once, when the console is first opened. */
async function loadFiles(): Promise<ReadonlyMap<string, StaticFile>> {
  const { scripts, style } = await pageBundle();
  const html = `<!doctype html><html lang="en"><head>${head}
<link rel="stylesheet" href="console/console.css"><script type="module" src="console/console.js"></script>
</head><body>${body}</body></html>`;
  return new Map([
    [consolePath, packedFile("index.html", html)],
    [`${consolePath}/console.css`, packedFile("console.css", style)],
    ...Array.from(
      scripts,
      ([name, text]) => [`${consolePath}/${name}`, packedFile(name, text)] as const,
    ),
  ]);
}

/** Answers if the path is one of the console's files, which contain no secrets. @returns whether it is */
export async function servePage(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (path !== consolePath && !path.startsWith(`${consolePath}/`)) return false;
  loading ??= loadFiles();
  const file = (await loading).get(path);
  if (file === undefined) return false;
  sendFile(request, response, file, {
    ...pageHeaders(),
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
  });
  return true;
}

/** The console, for a gateway to serve. */
export const consolePage: { readonly path: string; readonly serve: typeof servePage } = {
  path: consolePath,
  serve: servePage,
};

/** A single file that shows these answers, given by path, without a network. */
export async function pageWithData(answers: Readonly<Record<string, unknown>>): Promise<string> {
  const { whole, style } = await pageBundle();
  const policy = `default-src 'none'; script-src '${digest(whole)}'; style-src '${digest(style)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  // A `<` could begin a comment or end the script.
  const data = JSON.stringify(answers).replaceAll("<", "\\u003c");
  return `<!doctype html><html lang="en"><head>${head}
<meta http-equiv="content-security-policy" content="${policy}">
<style>${style}</style></head><body>${body}
<script type="application/json" id="data">${data}</script>
<script type="module">${whole}</script></body></html>
`;
}

const digest = (text: string): string => `sha256-${hash("sha256", text, "base64")}`;
