import normal from "@stdlib/stats-base-dists-normal-quantile";
import cdf from "@stdlib/stats-base-dists-t-cdf";
import quantile from "@stdlib/stats-base-dists-t-quantile";

/** Below this share lies the standard normal variable returned. */
export const normalQuantile = (share: number): number => normal(share, 0, 1);

/** The same for Student's t. */
export const studentQuantile = (share: number, degrees: number): number => quantile(share, degrees);

/** How likely Student's t is at least as far from 0, on either side. */
export const studentTails = (t: number, degrees: number): number => 2 * cdf(-Math.abs(t), degrees);
