import { askForJobs, takeChosen, type Claimed } from './claim-store.ts';
import type { WorkerSession } from './worker-session.ts';

export interface FairClaimRequest {
  worker: string;
  kind: string;
  leaseMs: number;
  /** Jobs whose earlier attempt has not stopped here yet. */
  except: readonly string[];
  /** Groups that have all they may have here. */
  fullGroups: readonly string[];
}

/**
 * Takes one job of a grouped kind: of the groups that wait, one of the group that runs fewest anywhere;
 * among equals the most urgent, then the oldest. Null when others were at the same jobs at the same
 * moment: ask again.
 */
export async function claimFairly(session: WorkerSession, request: FairClaimRequest): Promise<Claimed | null> {
  const { worker, kind, leaseMs, except, fullGroups } = request;
  return askForJobs(session, CLAIM_FAIRLY, [kind, worker, leaseMs, except, fullGroups]);
}

// The groups are found by leaping along the index, so a group with a thousand jobs costs as much as one
// with a single job. What is locked is one job only: the others stay for whoever asks at the same time.
export const CLAIM_FAIRLY = `
  with recursive groups as (
    select min(group_name) as name from jobs where state = 'queued' and kind = $1 and group_name is not null
    union all
    select (
      select min(group_name) from jobs where state = 'queued' and kind = $1 and group_name > groups.name
    ) from groups where name is not null
  ), ready as (
    select first.*, (
      select count(*) from jobs busy where busy.state = 'running' and busy.kind = $1 and busy.group_name = groups.name
    ) as running
    from groups cross join lateral (
      select id, priority, run_at from jobs waiting
      where state = 'queued' and kind = $1 and group_name = groups.name
        and run_at <= now() and not id = any ($4::bigint[])
        and (lane is null or not exists (
          select 1 from jobs busy where busy.lane = waiting.lane and busy.state = 'running'
        ))
      order by priority desc, run_at, id limit 1
    ) as first
    where not groups.name = any ($5::text[])
  ), chosen as (
    select jobs.id from ready join jobs on jobs.id = ready.id and jobs.state = 'queued'
    order by ready.running, ready.priority desc, ready.run_at, ready.id
    limit 1 for update of jobs skip locked
  ), taken as (${takeChosen('$2', '$3')})
  select taken.*, exists (select 1 from ready) as was_ready, (
    select extract(epoch from run_at - now())::float8 * 1000 from jobs
    where state = 'queued' and run_at > now() and kind = $1 order by run_at limit 1
  ) as next_due_ms
  from (values (true)) as always left join taken on true`;
