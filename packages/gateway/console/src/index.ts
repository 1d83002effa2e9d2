export { ExportFileError, type OpenedExport, openExport } from "./export-file/open-export.ts";
export { browsed, type ViewedStore } from "./serving/browsed.ts";
export { consolePage, consolePath } from "./serving/console-page.ts";
export { createViewServer } from "./serving/view-server.ts";
export { jobPage, storagePage } from "./stored-page/stored-page.ts";
