import { openPointsStore, type PointsSettings, type PointsStore } from "@proj/points-server";

export const openStore = (settings: PointsSettings): Promise<PointsStore> =>
  openPointsStore({
    db_url: settings.db_url,
    program: settings.program,
    synchronous: settings.synchronous,
    poolSize: settings.pool_size,
    jobNiceness: settings.job_niceness,
  });
