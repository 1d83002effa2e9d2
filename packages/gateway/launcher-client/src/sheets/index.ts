export { comparisonSheet } from "./comparison-sheet.ts";
export { count, dollars, duration, exactDollars, reward } from "./quantities.ts";
export {
  interval,
  leftOut,
  meanSentence,
  type NamedReport,
  reportSheet,
} from "./report-sheet.ts";
export { numbersUnder, type Sheet, type SheetColumn, type SheetTable } from "./sheet.ts";
