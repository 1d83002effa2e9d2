import { readFileSync } from "node:fs";
import {
  kitFiles,
  packedFile,
  pageHeaders,
  readFiles,
  type StaticFile,
  sendFile,
} from "@proj/program/page";
import express, { type Router } from "express";
import { chartFiles } from "./chart-files.ts";

/** The files are served as they are, so they are published with the sources. */
const folder = new URL("../../src/page/", import.meta.url);

const names = [
  ...["style", "forms", "tables"].map((name) => `${name}.css`),
  ...[
    ...["main", "connection", "mirror", "figures", "words"],
    ...["lists", "row-list", "chart", "ticket", "edit-dialog", "press"],
    ...["report", "candle-values"],
    ...["chart-marks", "chart-section", "order-lines", "outcome", "sender"],
  ].map((name) => `${name}.js`),
];

// The charts style elements inline and add their own style sheet.
const headers = {
  ...pageHeaders({ inlineStyles: true }),
  "cache-control": "no-cache",
  "referrer-policy": "no-referrer",
};

/** Serves the page at `/` and its files. Like any client, the page uses only the interface. */
export function pageRouter(): Router {
  const router = express.Router();
  const serve = (path: string, file: StaticFile): void => {
    router.get(path, (request, response) => sendFile(request, response, file, headers));
  };
  serve("/", packedFile("page.html", readFileSync(new URL("page.html", folder))));
  for (const [name, text] of [...kitFiles(), ...readFiles(folder, names)])
    serve(`/page/${name}`, packedFile(name, text));
  for (const [name, file] of chartFiles()) serve(`/page/${name}`, file);
  return router;
}
