export { kitFiles, kitNames, readFiles } from "./kit-files.ts";
export { type PageHeaderOptions, pageHeaders } from "./page-headers.ts";
export { isKnown, sendFile } from "./send-file.ts";
export { packedFile, packFile, plainFile, type StaticFile } from "./static-file.ts";
