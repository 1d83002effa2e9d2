import { atifFormat } from "./atif.ts";
import { messagesFormat, openaiFinetuningFormat } from "./chat-formats.ts";
import type { ExportFormat } from "./export-format.ts";
import { sharegptFormat } from "./sharegpt.ts";
import {
  sequencesFormat,
  skyrlFormat,
  slimeFormat,
  tinkerFormat,
  verlFormat,
} from "./token-formats.ts";
import { trlFormat } from "./trl.ts";

/** All formats except that of single steps. To add one, add a value here. */
export const exportFormats: readonly ExportFormat[] = [
  sequencesFormat,
  verlFormat,
  trlFormat,
  skyrlFormat,
  slimeFormat,
  tinkerFormat,
  messagesFormat,
  openaiFinetuningFormat,
  sharegptFormat,
  atifFormat,
];
