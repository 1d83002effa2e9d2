export { contentCodings } from "./content-codings.ts";
export { decodeContent } from "./decode-content.ts";
export { beginsAsEvents, tellingBytes } from "./event-beginning.ts";
