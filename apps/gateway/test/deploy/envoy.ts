import { type Balancer, envoyProgram, isLeftOutWithoutEnvoy, startEnvoy } from "@proj/test-kit";

const envoy = await envoyProgram();

/** Whether tests with a real Envoy cannot run here. */
export const isWithoutEnvoy: boolean = isLeftOutWithoutEnvoy(
  "several gateways behind Envoy",
  envoy,
);

export const startOwnEnvoy = (gatewayUrls: readonly string[]): Promise<Balancer> =>
  startEnvoy(envoy, gatewayUrls);
