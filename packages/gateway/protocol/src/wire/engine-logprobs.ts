/** Answer of `POST /v1/routes/{key}/logprobs`: how likely a route's engines find each of the given tokens. */
export interface EngineLogprobsBody {
  readonly model: string;
  readonly upstreams: readonly UpstreamLogprobs[];
}

export interface UpstreamLogprobs {
  readonly upstream: string;
  /** Of each token after those before it; null for the first. */
  readonly logprobs: readonly (number | null)[];
}
