type Variables = Readonly<Record<string, string>>;

/** Harbor's `task.toml`, schema 1.4, as it is read: the names are its own. */
export interface TaskSettings {
  readonly environment: EnvironmentSettings;
  readonly agent: PhaseSettings;
  readonly verifier: VerifierSettings;
  readonly solution: { readonly env: Variables };
  readonly artifacts: readonly Artifact[];
  readonly multi_step_reward_strategy?: "mean" | "final" | undefined;
  readonly steps?: readonly StepSettings[] | undefined;
  readonly schema_version?: string | undefined;
  readonly version?: string | undefined;
}

export interface NetworkSettings {
  readonly network_mode?: "no-network" | "public" | "allowlist" | undefined;
  readonly allowed_hosts?: readonly string[] | undefined;
}

export interface EnvironmentSettings extends NetworkSettings {
  readonly build_timeout_sec: number;
  readonly docker_image?: string | undefined;
  readonly os: "linux" | "windows";
  readonly cpus?: number | undefined;
  readonly memory_mb?: number | undefined;
  readonly memory?: string | undefined;
  readonly storage_mb?: number | undefined;
  readonly storage?: string | undefined;
  readonly gpus?: number | undefined;
  readonly gpu_types?: readonly string[] | undefined;
  readonly tpu?: unknown;
  readonly mcp_servers: readonly unknown[];
  readonly env: Variables;
  readonly skills_dir?: string | undefined;
  readonly healthcheck?: Healthcheck | undefined;
  readonly workdir?: string | undefined;
  readonly allow_internet?: boolean | undefined;
}

export interface Healthcheck {
  readonly command: string;
  readonly interval_sec: number;
  readonly timeout_sec: number;
  readonly start_period_sec: number;
  readonly start_interval_sec: number;
  readonly retries: number;
}

export interface PhaseSettings extends NetworkSettings {
  readonly timeout_sec?: number | undefined;
  readonly user?: string | number | undefined;
}

export interface VerifierSettings extends PhaseSettings {
  readonly env?: Variables | undefined;
  readonly environment_mode?: "shared" | "separate" | undefined;
  readonly environment?: EnvironmentSettings | undefined;
  readonly collect: readonly {
    readonly command: string;
    readonly service: string;
    readonly timeout_sec: number;
    readonly user?: string | number | undefined;
  }[];
}

export interface StepSettings {
  readonly name: string;
  readonly agent: PhaseSettings;
  readonly verifier: VerifierSettings;
  readonly min_reward?: number | Readonly<Record<string, number>> | undefined;
  readonly healthcheck?: Healthcheck | undefined;
  readonly artifacts: readonly Artifact[];
}

export interface Artifact {
  readonly source: string;
  readonly destination: string | null;
  readonly exclude: readonly string[];
  readonly service: string;
}
