import { render } from "preact";
import { App } from "./app.tsx";
import { embeddedSource } from "./data/embedded-source.ts";
import { HttpSource } from "./data/http-source.ts";
import "./console.css";

const root = document.getElementById("app");
if (root !== null) render(<App source={embeddedSource() ?? new HttpSource()} />, root);
