import { readFileSync } from "node:fs";
import { Converter } from "typedoc";

/** Names each module as a program imports it: `@proj/http-client`, not its folder. */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      const [folder, entry = ""] = module.name.split(/\/src(?=\/|$)/);
      const manifest = new URL(`../../packages/${folder}/package.json`, import.meta.url);
      module.name = JSON.parse(readFileSync(manifest, "utf8")).name + entry;
    }
  });
}
