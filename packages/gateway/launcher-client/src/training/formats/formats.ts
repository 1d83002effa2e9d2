import { atifFormat } from "./atif.ts";
import { openaiFinetuningFormat, sharegptFormat } from "./chat-formats.ts";
import type { ExportFormat } from "./export-format.ts";
import {
  sequencesFormat,
  skyrlFormat,
  slimeFormat,
  tinkerFormat,
  trlFormat,
  verlFormat,
} from "./token-formats.ts";

/** All formats except that of single steps. To add one, add a value here. */
export const exportFormats: readonly ExportFormat[] = [
  sequencesFormat,
  verlFormat,
  trlFormat,
  skyrlFormat,
  slimeFormat,
  tinkerFormat,
  openaiFinetuningFormat,
  sharegptFormat,
  atifFormat,
];
