import type { Sequence, Span } from "@proj/sequences";
import { useState } from "preact/hooks";
import { TableHead } from "../table/table-head.tsx";
import { count } from "../text/format.ts";
import { visible } from "../text/visible.ts";

const firstTokens = 200;
const moreTokens = 2_000;

const columns = [
  ...([
    ["Position", "number"],
    ["Id", "number"],
    ["Loss mask", "number"],
  ] as const),
  ...([["Logprob", "number"], ["Version"]] as const),
];

interface TokenTableProps {
  readonly sequence: Sequence;
  readonly span: Span;
}

/** The tokens of a span, one per row. */
export function TokenTable({ sequence, span }: TokenTableProps) {
  const [shown, setShown] = useState(firstTokens);
  const end = Math.min(span.end, span.start + shown);
  const places = Array.from({ length: end - span.start }, (_, index) => span.start + index);
  return (
    <>
      <table class="tokens-of-span">
        <caption class="hidden">Tokens</caption>
        <TableHead columns={columns} />
        <tbody>
          {places.map((at) => (
            <tr key={at}>
              <td class="number">{count(at)}</td>
              <td class="number">{sequence.input_ids[at]}</td>
              <td class="number">{sequence.loss_mask[at]}</td>
              <td class="number">{logprobOf(sequence, at)}</td>
              <td>{visible(versionOf(sequence, at))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {end < span.end && (
        <button type="button" class="more" onClick={() => setShown(shown + moreTokens)}>
          … {count(span.end - end)} more
        </button>
      )}
    </>
  );
}

const logprobOf = ({ logprobs, loss_mask }: Sequence, at: number): string =>
  logprobs === null || loss_mask[at] !== 1 ? "–" : (logprobs[at] ?? 0).toFixed(4);

const versionOf = ({ versions }: Sequence, at: number): string =>
  versions.find(({ start, end }) => start <= at && at < end)?.version ?? "–";
