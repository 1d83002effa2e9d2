import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

// Loads a copy of model-apis in its place: MODEL_APIS names the folder, MODEL_APIS_COPY its copy.
const { MODEL_APIS = "", MODEL_APIS_COPY = "" } = process.env;
const [from, to] = [MODEL_APIS, MODEL_APIS_COPY].map((folder) => pathToFileURL(`${folder}/`).href);

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url.startsWith(from)
      ? { ...found, url: to + found.url.slice(from.length) }
      : found;
  },
});
