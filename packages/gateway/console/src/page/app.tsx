import { useEffect, useState } from "preact/hooks";
import type { Source } from "./data/source.ts";
import { RefusalContext, SourceContext } from "./data/use-answer.ts";
import { useHasGateway } from "./data/use-has-gateway.ts";
import { Help } from "./help/help.tsx";
import { JobView } from "./jobs/job-view.tsx";
import { JobsView } from "./jobs/jobs-view.tsx";
import { SessionsView } from "./list/sessions-view.tsx";
import { Guarded } from "./shell/guarded.tsx";
import { KeyDialog } from "./shell/key-dialog.tsx";
import { useKeys } from "./shell/keys.ts";
import { lazyView } from "./shell/lazy-view.tsx";
import { hrefOf, type Place, usePlace } from "./shell/location.ts";
import { visible } from "./text/visible.ts";

const SessionView = lazyView(async () => (await import("./session/session-view.tsx")).SessionView);
const TokensView = lazyView(async () => (await import("./tokens/tokens-view.tsx")).TokensView);
const ToolsView = lazyView(async () => (await import("./tools/tools-view.tsx")).ToolsView);
const CompareView = lazyView(async () => (await import("./compare/compare-view.tsx")).CompareView);
const OverviewView = lazyView(
  async () => (await import("./overview/overview-view.tsx")).OverviewView,
);
const ReportView = lazyView(async () => (await import("./report/report-view.tsx")).ReportView);
const ReviewView = lazyView(async () => (await import("./review/review-view.tsx")).ReviewView);

const views = [
  ["sessions", "Sessions"],
  ["jobs", "Jobs"],
  ["overview", "Overview"],
] as const;

export function App({ source }: { readonly source: Source }) {
  const place = usePlace();
  const [hasHelp, setHelp] = useState(false);
  /** Counts the keys entered so far: a new one makes the view ask again. */
  const [keys, setKeys] = useState(0);
  const [refusal, setRefusal] = useState<string | null>(null);
  useKeys({ "?": () => setHelp(true) });
  const hasGateway = useHasGateway(source);
  useEffect(() => {
    document.title = `${visible(place.id ?? place.view)} · Console`;
  }, [place]);
  return (
    <SourceContext.Provider value={source}>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <header class="bar">
        <h1>Console</h1>
        <nav aria-label="Views">
          {views
            // A reviewer is to see no scores, and their server shows none.
            .filter(([view]) => place.view !== "review" && (view !== "overview" || hasGateway))
            .map(([view, name]) => (
              <a key={view} href={hrefOf(view)} aria-current={currentOf(place, view)}>
                {name}
              </a>
            ))}
        </nav>
        <button type="button" class="plain" aria-label="Help" onClick={() => setHelp(true)}>
          ?
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        {refusal === null ? (
          <RefusalContext.Provider value={setRefusal}>
            <Guarded key={`${keys} ${place.view} ${place.id}`}>
              <Shown {...place} />
            </Guarded>
          </RefusalContext.Provider>
        ) : (
          <KeyDialog
            problem={refusal}
            onKey={(key) => {
              source.useKey(key);
              setRefusal(null);
              setKeys(keys + 1);
            }}
          />
        )}
      </main>
      {hasHelp && <Help onClose={() => setHelp(false)} />}
    </SourceContext.Provider>
  );
}

/** Views that are reached from another one. */
const parents: Readonly<Record<string, string>> = {
  ...{ tokens: "sessions", tools: "jobs", compare: "jobs", report: "jobs" },
};

function currentOf(place: Place, view: string): "page" | "true" | undefined {
  if (place.view === view) return place.id === null ? "page" : "true";
  const parent = place.view === "tools" && place.id !== null ? "sessions" : parents[place.view];
  return parent === view ? "true" : undefined;
}

function Shown({ view, id, query }: Place) {
  if (view === "sessions" && id !== null)
    return <SessionView key={id} session_id={id} query={query} />;
  if (view === "sessions") return <SessionsView query={query} />;
  if (view === "jobs" && id !== null) return <JobView key={id} job_id={id} query={query} />;
  if (view === "jobs") return <JobsView query={query} />;
  if (view === "tokens" && id !== null) return <TokensView key={id} session_id={id} />;
  if (view === "tools" && (id !== null || query.has("job")))
    return <ToolsView session_id={id} query={query} />;
  if (view === "overview") return <OverviewView query={query} />;
  if (view === "review" && id !== null) return <ReviewView key={id} job_id={id} />;
  if (view === "report") return <ReportView query={query} />;
  if (view === "compare") return <CompareView query={query} />;
  return <p class="notice">There is no view named '{visible(view)}'.</p>;
}
