import { isLeftOutWithoutHaproxy } from "@proj/test-kit";

/** Whether tests with a real HAProxy cannot run here. */
export const isWithoutHaproxy: boolean = isLeftOutWithoutHaproxy("several gateways behind HAProxy");
