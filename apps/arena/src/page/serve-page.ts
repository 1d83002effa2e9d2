import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { chartFiles } from "@proj/paper-broker";
import { kitFiles, packedFile, pageHeaders, readFiles, sendFile } from "@proj/program/page";
import type { WatchedArena } from "../watching/watched.ts";

/** The files are served as they are, so they are published with the sources. */
const folder = new URL("../../src/page/", import.meta.url);
const names = ["style.css", ...["main", "curves", "tables", "moves"].map((name) => `${name}.js`)];

// The charts style elements inline.
const headers = { ...pageHeaders({ inlineStyles: true }), "referrer-policy": "no-referrer" };

/** A server of the arena's page at `/`, for this machine only. It changes nothing. */
export function createPageServer(arena: WatchedArena): Server {
  const page = packedFile("arena.html", readFileSync(new URL("arena.html", folder)));
  const files = new Map([
    ["/", page],
    ...[...kitFiles(), ...readFiles(folder, names)].map(
      ([name, text]) => [`/page/${name}`, packedFile(name, text)] as const,
    ),
    ...[...chartFiles()].map(([name, file]) => [`/page/${name}`, file] as const),
  ]);
  const answer = async (path: string): Promise<object | null> => {
    if (path === "/api/arena") return arena.overview();
    const [, match] = /^\/api\/matches\/(\d{1,6})$/.exec(path) ?? [];
    return match === undefined ? null : arena.story(Number(match));
  };
  return createServer(async (request, response) => {
    const send = (status: number, body: object): void => {
      const type = { "content-type": "application/json", "cache-control": "no-store" };
      response.writeHead(status, { ...headers, ...type });
      response.end(request.method === "HEAD" ? undefined : JSON.stringify(body));
    };
    // Any website could point a name of its own to this address and read the answers.
    if (!/^(?:localhost|127\.0\.0\.1)(?::\d+)?$/i.test(request.headers.host ?? ""))
      return send(403, { detail: "Open this address as localhost or 127.0.0.1." });
    if (request.method !== "GET" && request.method !== "HEAD")
      return send(405, { detail: "This page is read-only." });
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const file = files.get(path);
    if (file !== undefined)
      return sendFile(request, response, file, { ...headers, "cache-control": "no-cache" });
    try {
      const body = await answer(path);
      if (body === null) send(404, { detail: "There is nothing here by that name." });
      else send(200, body);
    } catch (error) {
      send(503, { detail: error instanceof Error ? error.message : "It cannot be read." });
    }
  });
}
