// The site's sidebar, by what readers want to do. Every page of docs/ and every program's README is in it (tested).

export interface Page {
  readonly text: string;
  readonly link: string;
}

export interface Group {
  readonly text: string;
  readonly items: readonly Page[];
  readonly collapsed?: boolean;
}

const program = (name: string, text: string): Page => ({ text, link: `/apps/${name}/` });
const page = (name: string, text: string): Page => ({ text, link: `/docs/${name}` });
const group = (text: string, items: readonly Page[]): Group => ({ text, items });
const closed = (text: string, items: readonly Page[]): Group => ({ text, items, collapsed: true });

/** @param libraries the packages' READMEs */
export const sidebar = (libraries: readonly Page[]): Group[] => [
  group("Start", [
    { text: "First steps", link: "/" },
    program("gateway", "The program gateway"),
    page("providers", "Providers"),
    page("console", "Console"),
  ]),
  group("Record agents", [
    page("agents", "Agents and SDKs"),
    program("launcher", "Jobs: the program launcher"),
    page("tasks", "Harbor's tasks"),
    page("fork-and-replay", "Fork and replay"),
  ]),
  group("Train", [
    page("training", "Train your first agent"),
    page("engines", "Exact tokens"),
    { text: "Python client", link: "/clients/python/" },
  ]),
  group("Evaluate", [page("evaluation", "Rewards and comparisons"), page("ci", "Run in CI")]),
  group("Run on many machines", [
    page("clusters", "Slurm and Kubernetes"),
    page("several-gateways", "Several gateways"),
  ]),
  group("Read the data", [page("data", "Archives: DuckDB, pandas, polars")]),
  group("Operate", [
    page("operations", "Operations and sizing"),
    page("observability", "Observability and cost"),
    page("troubleshooting", "Troubleshooting"),
    page("upgrading", "Upgrading"),
    page("storage", "The SQLite file"),
    page("failover", "PostgreSQL fails over"),
    page("faults", "Faults"),
    page("security", "Security"),
  ]),
  group("Other programs", [
    program("paper-trading", "Paper trading"),
    program("arena", "Arena"),
    program("points", "Points"),
    program("deprecations", "Model deprecations"),
  ]),
  closed("Extend", [
    page("changing", "I want to change …"),
    { text: "Contributing", link: "/CONTRIBUTING" },
    { text: "Benchmarks", link: "/bench/" },
  ]),
  closed("Reference", [
    { text: "Commands", link: "/commands" },
    { text: "Configuration", link: "/packages/gateway/protocol/#the-configuration-file" },
    { text: "Rows", link: "/packages/gateway/store/#tables" },
    { text: "HTTP: gateway", link: "/openapi/gateway-core" },
    { text: "HTTP: points", link: "/openapi/points-server" },
    { text: "HTTP: paper trading", link: "/openapi/paper-broker" },
    { text: "HTTP: deprecation feed", link: "/openapi/deprecation-feed" },
    page("interfaces", "What the interfaces promise"),
  ]),
  closed("How and why", [
    page("architecture", "Architecture"),
    page("decisions", "Decisions"),
    page("comparison", "Next to other gateways"),
    page("gateway", "Gateway"),
    page("launcher", "Launcher"),
    page("trading", "Trading"),
    page("arena", "Arena"),
    page("points", "Points"),
    page("feed", "Deprecation feed"),
    page("router", "Resource router"),
  ]),
  closed("Libraries", libraries),
];
