/** Marks a job that is taken while it runs, and one that is taken while another of its lane runs. */
export const WATCH_JOBS = `
  create table job_marks (job bigint, lane text, what text, at timestamptz default now());
  create function mark_jobs() returns trigger language plpgsql as $$
  begin
    if old.state = 'running' and new.state = 'running' and old.claim <> new.claim then
      insert into job_marks (job, lane, what) values (new.id, new.lane, 'taken while it ran');
    end if;
    if old.state <> 'running' and new.state = 'running' and new.lane is not null and exists (
      select 1 from jobs where lane = new.lane and state = 'running' and id <> new.id
    ) then
      insert into job_marks (job, lane, what) values (new.id, new.lane, 'taken while its lane was busy');
    end if;
    return new;
  end $$;
  create trigger mark_jobs after update on jobs for each row execute function mark_jobs()`;
