import { WORKER_LOST } from '../server/src/jobs/recover-jobs.ts';

/**
 * Marks a job that goes on after its end, and one that is given to others while its worker may still be at it. That two
 * have one job at a time, or two jobs of a lane run, the store itself refuses: nothing needs to look for it.
 */
export const WATCH_JOBS = `
  create table job_marks (job bigint, kind text, what text, at timestamptz default now());
  create function mark_jobs() returns trigger language plpgsql as $$
  begin
    if old.state in ('done', 'failed', 'cancelled') and new.state in ('queued', 'running') then
      insert into job_marks (job, kind, what) values (new.id, new.kind, 'begun again after its end');
    end if;
    if old.state = 'running' and new.state = 'queued' and new.error = '${WORKER_LOST}' and old.lease_until > now() then
      insert into job_marks (job, kind, what) values (new.id, new.kind, 'taken from a worker that has it');
    end if;
    return new;
  end $$;
  create trigger mark_jobs after update on jobs for each row execute function mark_jobs()`;
