import { countNames, followsInfrastructure, shareOf } from "../job-counts.ts";

const change = (sign: "+" | "-", row: "new" | "old"): string => `
  update job_counts set ${countNames.map((name) => `${name} = ${name} ${sign} (${shareOf(name, row)})`).join(",\n    ")}
  where job_id = ${row}.job_id;`;

const followed = (sign: "+" | "-", row: "new" | "old"): string => `
  update job_counts set infrastructure = infrastructure ${sign} ${followsInfrastructure(row)}
  where job_id = ${row}.job_id and ${row}.attempt > 1;`;

/** Reward and end come with a status, except where a reward is replaced. */
export const keptCounts: readonly string[] = [
  `create trigger job_counts_of_added after insert on job_environments begin
    insert into job_counts (job_id, created_at) values (new.job_id, new.created_at) on conflict do nothing;
    ${change("+", "new")}
    ${followed("-", "new")}
    update job_counts set finished_at = max(coalesce(finished_at, ''), new.finished_at)
      where job_id = new.job_id and new.finished_at is not null;
  end`,
  `create trigger job_counts_of_changed after update of status, reward, finished_at on job_environments
  when (old.status, old.reward, old.finished_at) is not (new.status, new.reward, new.finished_at) begin
    ${change("-", "old")}
    ${change("+", "new")}
    update job_counts set finished_at = max(coalesce(finished_at, ''), new.finished_at)
      where job_id = new.job_id and new.finished_at is not null;
  end`,
  `create trigger job_counts_of_deleted after delete on job_environments begin
    ${change("-", "old")}
    ${followed("+", "old")}
    delete from job_counts where job_id = old.job_id
      and not exists (select 1 from job_environments where job_id = old.job_id);
  end`,
];
