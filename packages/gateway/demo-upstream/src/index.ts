export { type DemoUpstream, startDemoUpstream } from "./demo-upstream.ts";
export type { DemoRequest, DemoUpstreamOptions } from "./options.ts";
