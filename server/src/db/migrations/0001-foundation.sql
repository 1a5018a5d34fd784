-- Accounts, organisations, access, folders, applications, jobs.
-- Foreign keys are deferrable so that a restore may load tables in any order.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table users (
  id text primary key,
  email text not null,
  first_name text not null,
  password_hash text not null,
  -- Sealed; set at enrolment, in force once totp_enabled_at is set.
  totp_secret text,
  totp_enabled_at timestamptz,
  -- The last time step a code was accepted for: a code works once.
  totp_last_step bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));

create table recovery_codes (
  user_id text not null references users on delete cascade deferrable,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

create table organisations (
  id text primary key,
  name text not null,
  slug text not null unique,
  plan text not null check (plan in ('free', 'pro', 'enterprise')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table memberships (
  organisation_id text not null references organisations on delete cascade deferrable,
  user_id text not null references users on delete cascade deferrable,
  role text not null check (role in ('user', 'admin', 'owner')),
  created_at timestamptz not null default now(),
  primary key (user_id, organisation_id)
);
create index memberships_organisation on memberships (organisation_id);

create table invitations (
  id text primary key,
  organisation_id text not null references organisations on delete cascade deferrable,
  email text not null,
  role text not null check (role in ('user', 'admin', 'owner')),
  token_hash bytea not null unique,
  invited_by text references users on delete set null deferrable,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index invitations_open on invitations (organisation_id, lower(email))
  where accepted_at is null and revoked_at is null;

-- A session is a family of refresh tokens: one connected device.
create table sessions (
  id text primary key,
  user_id text not null references users on delete cascade deferrable,
  kind text not null check (kind in ('browser', 'cli', 'operator')),
  device text not null,
  address text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_because text
);
create index sessions_user on sessions (user_id, created_at desc);

create table refresh_tokens (
  token_hash bytea primary key,
  session_id text not null references sessions on delete cascade deferrable,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The Idempotency-Key of the call that used it, hashed, and what that call issued:
  -- a client that lost the answer may ask again for a short while.
  used_with_key bytea,
  successor_hash bytea
);
create index refresh_tokens_session on refresh_tokens (session_id);

create table mfa_challenges (
  token_hash bytea primary key,
  user_id text not null references users on delete cascade deferrable,
  expires_at timestamptz not null,
  consumed_at timestamptz
);

create table device_authorizations (
  device_code_hash bytea primary key,
  user_code text not null unique,
  client_id text not null,
  address text,
  user_agent text,
  state text not null default 'pending' check (state in ('pending', 'approved', 'denied', 'consumed')),
  user_id text references users on delete cascade deferrable,
  interval_seconds integer not null,
  last_polled_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create table api_keys (
  id text primary key,
  -- The part of the key's text that finds its row.
  public_id text not null unique,
  organisation_id text not null references organisations on delete cascade deferrable,
  name text not null,
  prefix text not null,
  role text not null check (role in ('user', 'admin')),
  secret_hash bytea not null,
  created_by text references users on delete set null deferrable,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_keys_organisation on api_keys (organisation_id, created_at desc);

-- Failed attempts by address or account, kept here so that a restart forgives nobody.
create table attempt_counters (
  bucket text primary key,
  failures integer not null,
  window_ends_at timestamptz not null
);

-- The installation's own secrets (signing keys and the like), sealed.
create table platform_secrets (
  name text primary key,
  sealed text not null,
  created_at timestamptz not null default now()
);

-- At most one row: the link that creates the first owner.
create table setup_link (
  singleton boolean primary key default true check (singleton),
  token_hash bytea not null,
  created_at timestamptz not null default now()
);

-- Folders.
create table projects (
  id text primary key,
  organisation_id text not null references organisations on delete cascade deferrable,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index projects_name on projects (organisation_id, lower(name));
create index projects_created on projects (organisation_id, created_at desc, id desc);
create index projects_updated on projects (organisation_id, updated_at desc, id desc);

create table applications (
  id text primary key,
  organisation_id text not null references organisations deferrable,
  project_id text references projects on delete set null deferrable,
  name text not null,
  -- The production environment's part of the generated address.
  slug text not null unique,
  deployment_type text not null check (deployment_type in ('static', 'container')),
  framework text not null,
  runtime text,
  vcs_repo_url text,
  vcs_branch text,
  source_type text not null check (source_type in ('vcs', 'upload')),
  status text not null default 'pending' check (
    status in ('pending', 'building', 'deploying', 'healthy', 'degraded', 'failed', 'deleting')
  ),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- One index for each column a list may be sorted by, so that a page costs the same however many there are.
create index applications_created on applications (organisation_id, created_at desc, id desc);
create index applications_updated on applications (organisation_id, updated_at desc, id desc);
create index applications_by_name on applications (organisation_id, lower(name) desc, id desc);
create index applications_by_status on applications (organisation_id, status desc, id desc);
create index applications_project on applications (project_id) where project_id is not null;
-- Without fastupdate: every search would first read through the list of entries not yet merged.
create index applications_name_search on applications using gin (organisation_id, lower(name) gin_trgm_ops)
  with (fastupdate = off);

create table environments (
  id text primary key,
  organisation_id text not null references organisations deferrable,
  application_id text not null references applications on delete cascade deferrable,
  name text not null,
  subdomain text not null unique,
  vcs_branch text,
  is_production boolean not null default false,
  status text not null default 'pending' check (
    status in ('pending', 'deploying', 'healthy', 'degraded', 'failed', 'deleting')
  ),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index environments_application on environments (application_id, created_at);
create unique index environments_production on environments (application_id) where is_production;

-- How many rows an organisation has of a kind: lists show totals without counting.
create table organisation_counts (
  organisation_id text not null references organisations on delete cascade deferrable,
  kind text not null,
  total bigint not null,
  primary key (organisation_id, kind)
);

create function count_inserted() returns trigger language plpgsql as $$
begin
  insert into organisation_counts (organisation_id, kind, total)
    select organisation_id, tg_table_name, count(*) from changed group by organisation_id
    on conflict (organisation_id, kind) do update set total = organisation_counts.total + excluded.total;
  return null;
end $$;

create function count_deleted() returns trigger language plpgsql as $$
begin
  update organisation_counts c set total = c.total - d.removed
    from (select organisation_id, count(*) as removed from changed group by organisation_id) d
    where c.organisation_id = d.organisation_id and c.kind = tg_table_name;
  return null;
end $$;

create trigger applications_count_inserted after insert on applications
  referencing new table as changed for each statement execute function count_inserted();
create trigger applications_count_deleted after delete on applications
  referencing old table as changed for each statement execute function count_deleted();
create trigger projects_count_inserted after insert on projects
  referencing new table as changed for each statement execute function count_inserted();
create trigger projects_count_deleted after delete on projects
  referencing old table as changed for each statement execute function count_deleted();

create table jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  payload jsonb not null default '{}',
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- While one job of this kind and key waits, another is not added.
  key text,
  -- Of the jobs that share a lane, one runs at a time.
  lane text,
  priority smallint not null default 0,
  run_at timestamptz not null default now(),
  attempt integer not null default 0,
  max_attempts integer not null,
  -- Counts how often it was taken. Only who took it last may finish it.
  claim bigint not null default 0,
  -- The name of the worker that has it; that worker holds a session lock on its name.
  worker text,
  lease_until timestamptz,
  cancel_requested boolean not null default false,
  error text,
  result jsonb,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index jobs_ready on jobs (priority desc, run_at, id) where state = 'queued';
create index jobs_due on jobs (run_at) where state = 'queued';
create unique index jobs_key on jobs (kind, key) where state = 'queued' and key is not null;
create unique index jobs_lane on jobs (lane) where state = 'running' and lane is not null;
create index jobs_running on jobs (worker) where state = 'running';
create index jobs_finished on jobs (finished_at) where state in ('done', 'failed', 'cancelled');
