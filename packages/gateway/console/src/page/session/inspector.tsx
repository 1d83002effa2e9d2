import { exactDollars } from "@proj/launcher-client/sheets";
import type { StoredRow } from "@proj/session-store";
import { useEffect, useRef, useState } from "preact/hooks";
import type { WholeStep, WholeSteps } from "../data/source.ts";
import { useAnswer } from "../data/use-answer.ts";
import { moveAmong } from "../shell/move-among.ts";
import { reachable } from "../shell/reachable.ts";
import { Copy } from "../text/copy.tsx";
import { bytes, clock, count, duration } from "../text/format.ts";
import { LongText } from "../text/long-text.tsx";
import { Notice } from "../text/notice.tsx";
import { prettyJson } from "../text/pretty-json.ts";
import { readable } from "../text/rendered.tsx";
import { visible } from "../text/visible.ts";
import { bodyOf, curlOf, pathOf } from "./curl.ts";
import { factsOf } from "./step-facts.ts";
import { nameOf } from "./step-name.ts";
import "./inspector.css";

interface InspectorProps {
  /** The session's path. */
  readonly path: string;
  readonly row: StoredRow;
  readonly onClose: () => void;
}

const tabs = ["Request", "Response", "Facts"] as const;

/** Shows a step exactly as it is stored. */
export function Inspector({ path, row, onClose }: InspectorProps) {
  const [tab, setTab] = useState<(typeof tabs)[number]>("Request");
  const { body, error } = useAnswer(`${path} ${row.id}`, (source, signal) =>
    source.ask<WholeSteps>(`${path}/steps?after=${row.id - 1}&limit=1`, signal),
  );
  const step = body?.steps.find(({ id }) => id === row.id) ?? null;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <aside class="inspector" aria-label="Inspector">
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {nameOf(row)}
        </h2>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </header>
      <div
        class="tabs"
        role="tablist"
        aria-label="Parts of the step"
        onKeyDown={({ key, currentTarget }) => {
          const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
          if (by !== 0) moveAmong(currentTarget, "[role=tab]", by);
        }}
      >
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={tab === name}
            aria-controls="inspected"
            onClick={() => setTab(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        key={`${row.id} ${tab}`}
        class="inspected"
        id="inspected"
        role="tabpanel"
        aria-labelledby={`tab-${tab}`}
        {...reachable}
      >
        <Notice error={error} />
        {tab === "Facts" ? (
          <Facts row={row} />
        ) : step === null ? (
          <p class="empty">Loading …</p>
        ) : (
          <Payload step={step} row={row} isRequest={tab === "Request"} />
        )}
      </div>
    </aside>
  );
}

interface PayloadProps {
  readonly step: WholeStep;
  readonly row: StoredRow;
  readonly isRequest: boolean;
}

function Payload({ step, row, isRequest }: PayloadProps) {
  const [isRaw, setRaw] = useState(false);
  const text = isRequest ? bodyOf(step.request, step.messages) : step.response;
  const stored = isRequest ? (row.messages_bytes ?? row.request_bytes) : row.response_bytes;
  // A single-file page leaves large columns out.
  const isLeftOut = stored !== null && (isRequest ? step.messages : step.response) === null;
  if (isLeftOut) return <p class="empty">{bytes(stored)}, too large for this file.</p>;
  if (text === null) return <p class="empty">Not captured.</p>;
  const url = location.origin.startsWith("http") ? location.origin : "http://127.0.0.1:8000";
  return (
    <>
      <p class="tools">
        {isRequest && (
          <Copy
            name="Copy as curl"
            text={() => curlOf(url + pathOf(factsOf(row).endpoint), text)}
          />
        )}
        <Copy name="Copy" text={() => text} />
        <Copy name="Copy step as JSON" text={() => JSON.stringify(step)} />
        <label>
          <input
            type="checkbox"
            checked={isRaw}
            onChange={({ currentTarget }) => setRaw(currentTarget.checked)}
          />{" "}
          Unformatted
        </label>
        <span class="quiet">{bytes(new Blob([text]).size)}</span>
      </p>
      <LongText key={String(isRaw)} class="said code" text={isRaw ? text : readable(text)} />
    </>
  );
}

function Facts({ row }: { readonly row: StoredRow }) {
  const { members, queue_ms, ttft_ms, upstream_ms, cost_nano_usd } = factsOf(row);
  const times = [
    ["Stored", clock(row.created_at)],
    ["In the queue", duration(queue_ms)],
    ["First byte", ttft_ms === null ? "–" : duration(ttft_ms)],
    ["Upstream", upstream_ms === null ? "–" : duration(upstream_ms)],
    ["Cost", cost_nano_usd === null ? "–" : exactDollars(cost_nano_usd)],
    ["Row", count(row.id)],
  ] as const;
  return (
    <dl class="terms">
      {times.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {Object.entries(members)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{visible(name)}</code>
            </dt>
            <dd>
              <LongText
                class="said"
                text={typeof value === "string" ? value : prettyJson(asJson(value))}
              />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "(nested too deeply to show)";
  }
}
