import * as demo from "@proj/demo-upstream";

export interface DemoUpstream extends demo.DemoUpstream, AsyncDisposable {
  /** Every request so far, in the order in which their bodies were completed. */
  readonly requests: readonly demo.DemoRequest[];
}

/** The demo server on a free port; remembers its requests. */
export async function startDemoUpstream(
  options: demo.DemoUpstreamOptions = {},
): Promise<DemoUpstream> {
  const requests: demo.DemoRequest[] = [];
  const upstream = await demo.startDemoUpstream({
    ...options,
    onRequest: (request) => {
      requests.push(request);
      options.onRequest?.(request);
    },
  });
  return { ...upstream, requests, [Symbol.asyncDispose]: () => upstream.close() };
}
