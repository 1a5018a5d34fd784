-- Managed databases: what each is to be, the servers that make it up, its backups, what it is connected to.

create table databases (
  id text primary key,
  organisation_id text not null references organisations (id) on delete restrict deferrable,
  project_id text references projects (id) on delete set null deferrable,
  name text not null,
  database_type text not null check (database_type in ('postgresql', 'mysql')),
  -- The series of the engine that its files belong to: 18, 10.11.
  version text not null,
  tier text not null,
  region text not null,
  storage_gb integer not null,
  ha_enabled boolean not null,
  public_ip_enabled boolean not null,
  -- Empty: anywhere.
  authorized_networks text[] not null default '{}',
  database_name text not null,
  admin_user text not null,
  -- Sealed.
  admin_password text not null,
  -- Sealed: what a rotation under way is about to set; whether the servers know it is not certain.
  next_password text,
  status text not null check (status in ('provisioning', 'healthy', 'updating', 'degraded', 'failed', 'deleting')),
  step text not null default 'queued',
  percent integer not null default 0,
  -- Counts what the stream tells: every change of status, step or percent.
  progress bigint not null default 1,
  -- What is wrong with it, or why the last change failed, for a person.
  error text,
  -- Writes are refused: its storage is nearly used up.
  is_full boolean not null default false,
  -- Where clients reach it, whichever server is the primary.
  port integer not null unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index databases_created on databases (organisation_id, created_at desc, id desc);
create index databases_by_name on databases (organisation_id, lower(name) desc, id desc);
create index databases_by_status on databases (organisation_id, status desc, id desc);
create trigger databases_count_inserted after insert on databases
  referencing new table as changed for each statement execute function count_inserted();
create trigger databases_count_deleted after delete on databases
  referencing old table as changed for each statement execute function count_deleted();
create index databases_by_project on databases (project_id);

-- The servers of a database: one, or with high availability two.
create table database_servers (
  id text primary key,
  database_id text not null references databases (id) on delete cascade deferrable,
  role text not null check (role in ('primary', 'standby')),
  -- Where it listens. The first server of a database listens at the database's own port.
  port integer not null unique,
  -- False until it has been made whole; one that is not is made anew.
  is_made boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index database_servers_one_per_role on database_servers (database_id, role);

create table database_backups (
  id text primary key,
  database_id text not null references databases (id) on delete cascade deferrable,
  organisation_id text not null,
  -- automatic: of every day; manual: asked for; download: what dump answers with; safety: taken before an import.
  purpose text not null check (purpose in ('automatic', 'manual', 'download', 'safety')),
  status text not null check (status in ('waiting', 'writing', 'ready', 'failed')),
  object_key text not null,
  size bigint,
  sha256 text,
  error text,
  started_at timestamptz not null default now(),
  completed_at timestamptz,
  -- When it goes by itself; null: with the database.
  expires_at timestamptz
);
create index database_backups_by_database on database_backups (database_id, started_at desc);
create index database_backups_by_expiry on database_backups (expires_at) where expires_at is not null;

-- A variable of an environment that holds the address of a database.
create table database_links (
  environment_id text not null references environments (id) on delete cascade deferrable,
  variable text not null,
  database_id text not null references databases (id) on delete cascade deferrable,
  created_at timestamptz not null default now(),
  primary key (environment_id, variable)
);
create index database_links_by_database on database_links (database_id);

alter table deployments
  -- Which of its variables hold the address of a database: { "DATABASE_URL": "db_…" }. Instances get the address as it is when they start.
  add column database_links jsonb not null default '{}';

-- What a database used in each minute.
create table database_minutes (
  database_id text not null references databases (id) on delete cascade deferrable,
  minute timestamptz not null,
  -- Percent of what the tier gives.
  cpu real,
  memory_bytes bigint,
  storage_bytes bigint,
  connections integer,
  primary key (database_id, minute)
);
create index database_minutes_by_minute on database_minutes (minute);
