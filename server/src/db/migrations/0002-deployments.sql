-- From source to a live address: uploads, build settings, deployments, artifacts, routes, activity.

alter table applications
  add column git_provider text not null default 'provider1'
    check (git_provider in ('provider1', 'provider2', 'provider3')),
  add column provider2_project_id bigint,
  add column provider3_repo_uuid text,
  add column is_private boolean not null default false,
  -- False: detection may correct the framework.
  add column is_framework_given boolean not null default false,
  add column build_command text,
  add column output_directory text,
  add column start_command text,
  add column root_directory text,
  add column container_port integer,
  add column memory text not null default '512Mi',
  add column cpu text,
  add column concurrency integer not null default 80,
  add column cpu_target integer not null default 80,
  add column region text,
  add column auto_deploy_on_push boolean not null default false,
  add column auto_deploy_branches text[] not null default '{}',
  add column auto_delete_stale_envs boolean not null default false;

alter table environments
  add column auto_deploy boolean not null default false,
  add column build_command text,
  add column output_directory text,
  -- Sealed: a JSON object of names and values. Null where there are none.
  add column variables text,
  add column container_port integer,
  add column memory text,
  add column cpu text,
  add column min_instances integer not null default 0,
  add column max_instances integer not null default 10,
  add column region text,
  add column custom_domain text,
  -- What is served now.
  add column live_deployment_id text;
create unique index environments_name on environments (application_id, lower(name));
create index environments_organisation on environments (organisation_id);

create table uploads (
  id text primary key,
  organisation_id text not null references organisations on delete cascade deferrable,
  status text not null default 'reserved' check (status in ('reserved', 'ready', 'consumed', 'expired')),
  file_name text not null,
  content_type text not null,
  storage_path text not null unique,
  -- What was announced; what came.
  announced_size bigint,
  size bigint,
  -- What inspection or the caller's hints say of it: an object as detect-framework answers.
  detected jsonb,
  expires_at timestamptz not null,
  completed_at timestamptz,
  created_at timestamptz not null default now()
);
create index uploads_organisation on uploads (organisation_id, created_at desc);
create index uploads_open on uploads (expires_at) where status = 'reserved';

create table deployments (
  id text primary key,
  organisation_id text not null references organisations deferrable,
  application_id text not null references applications on delete cascade deferrable,
  environment_id text not null references environments on delete cascade deferrable,
  status text not null default 'pending'
    check (status in ('pending', 'building', 'deploying', 'healthy', 'failed', 'cancelled')),
  stage text not null default 'queued' check (
    stage in ('queued', 'fetching', 'detecting', 'installing', 'building', 'packaging', 'starting', 'checking',
      'routing', 'released')
  ),
  -- What is built: the archive, or the branch as it was called when the deployment was asked for.
  upload_id text references uploads on delete set null deferrable,
  vcs_branch text,
  commit_sha text,
  commit_message text,
  -- The plan it was built by, as plain data.
  plan jsonb,
  artifact_id text,
  error text,
  -- The job that moves it now.
  job_id bigint,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  -- When it was last made live; what has never been live cannot be rolled back to.
  released_at timestamptz
);
create index deployments_environment on deployments (environment_id, created_at desc, id desc);
create index deployments_moving on deployments (environment_id) where status in ('pending', 'building', 'deploying');
create index deployments_upload on deployments (upload_id) where upload_id is not null;
create index deployments_artifact on deployments (artifact_id) where artifact_id is not null;

alter table environments
  add constraint environments_live_deployment foreign key (live_deployment_id)
    references deployments on delete set null deferrable;

-- Build logs, a few hundred lines a row, in the order they came.
create table deployment_log_chunks (
  deployment_id text not null references deployments on delete cascade deferrable,
  number integer not null,
  lines text[] not null,
  primary key (deployment_id, number)
);

-- What a build made. Its files lie in the object store by their content's hash.
create table artifacts (
  id text primary key,
  organisation_id text not null references organisations deferrable,
  environment_id text not null,
  kind text not null check (kind in ('static')),
  -- While packing, the blobs it names may not all be there.
  state text not null default 'packing' check (state in ('packing', 'whole')),
  file_count integer not null default 0,
  size bigint not null default 0,
  compressed_at timestamptz,
  created_at timestamptz not null default now()
);
create index artifacts_environment on artifacts (environment_id);

-- Which artifact needs which blob: what nothing names may be deleted.
create table artifact_blobs (
  artifact_id text not null references artifacts on delete cascade deferrable,
  hash bytea not null,
  primary key (artifact_id, hash)
);
create index artifact_blobs_hash on artifact_blobs (hash);

-- What the edges serve. A change raises the version; edges read what is newer than what they have.
create sequence route_versions;
create table routes (
  -- No foreign key: the row stays for a while when the environment is gone, so that edges hear of it.
  environment_id text primary key,
  -- Null: withdrawn.
  subdomain text unique,
  target jsonb,
  version bigint not null,
  changed_at timestamptz not null default now()
);
create unique index routes_version on routes (version);

-- Each edge process says here how far it is.
create table edges (
  name text primary key,
  version bigint not null,
  seen_at timestamptz not null default now()
);

create table activity_entries (
  id text primary key,
  organisation_id text not null references organisations on delete cascade deferrable,
  application_id text,
  environment_id text,
  action text not null,
  actor_email text not null,
  created_at timestamptz not null default now()
);
create index activity_environment on activity_entries (environment_id, created_at desc, id desc);
create index activity_organisation on activity_entries (organisation_id, created_at desc, id desc);

-- Of the jobs that share a group (an organisation's builds) only so many run at a time, and the group
-- that runs fewest goes first.
alter table jobs add column group_name text;
create index jobs_group_waiting on jobs (kind, group_name, priority desc, run_at, id)
  where state = 'queued' and group_name is not null;
create index jobs_group_running on jobs (kind, group_name) where state = 'running' and group_name is not null;
