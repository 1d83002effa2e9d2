import { Converter } from "typedoc";

/** Names each module as a program imports it: `@proj/http-client`, not its folder. */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? [])
      module.name = `@proj/${module.name.replace(/\/src$/, "").replace("/src/", "/")}`;
  });
}
