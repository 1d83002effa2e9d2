import "./shell/shell.css";
import "./shell/table.css";
import "./shell/state.css";
import "./shell/terms.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { embeddedSource } from "./data/embedded-source.ts";
import { HttpSource } from "./data/http-source.ts";

const root = document.getElementById("app");
if (root !== null) render(<App source={embeddedSource() ?? new HttpSource()} />, root);
