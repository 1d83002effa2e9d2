export type { TracerOptions } from "./open-tracer.ts";
export {
  parseTraceparent,
  sessionPlace,
  simulationPlace,
  traceparentOf,
} from "./trace-context.ts";
export type {
  Attributes,
  AttributeValue,
  OpenSpan,
  SpanCounts,
  SpanEnd,
  SpanLoss,
  SpanPlace,
  SpanStart,
  Tracer,
} from "./tracer.ts";
