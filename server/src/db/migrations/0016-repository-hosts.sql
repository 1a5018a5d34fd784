-- Repository hosts: how the platform is known to them, who has let it in, and what they have told.

-- The platform as an app of a host. What the operator gave.
create table vcs_hosts (
  provider text primary key check (provider in ('provider1', 'provider2', 'provider3')),
  -- Sealed JSON.
  settings text not null,
  updated_at timestamptz not null default now()
);

-- The operator's link to the set-up page; the newest only.
create table vcs_setup_link (
  singleton boolean primary key default true check (singleton),
  token_hash bytea not null,
  expires_at timestamptz not null
);

-- What a person has allowed at a host. On the first host it shows who they are there; on the others it is the access itself.
create table vcs_connections (
  id text primary key,
  provider text not null check (provider in ('provider1', 'provider2', 'provider3')),
  user_id text not null references users (id) on delete cascade deferrable,
  host_user_id text not null,
  account_login text not null,
  -- Sealed JSON.
  tokens text not null,
  -- Why the host no longer takes it, for a person; null while it does.
  trouble text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index vcs_connections_one_per_account on vcs_connections (user_id, provider, host_user_id);

-- The organisations that may use a connection. It goes with the membership of whose connection it is.
create table vcs_connection_links (
  organisation_id text not null references organisations (id) on delete cascade deferrable,
  connection_id text not null references vcs_connections (id) on delete cascade deferrable,
  user_id text not null references users (id) on delete cascade deferrable,
  created_at timestamptz not null default now(),
  primary key (organisation_id, connection_id),
  foreign key (user_id, organisation_id) references memberships (user_id, organisation_id) on delete cascade deferrable
);
create index vcs_connection_links_by_connection on vcs_connection_links (connection_id);
create index vcs_connection_links_by_member on vcs_connection_links (user_id, organisation_id);

-- The app, installed at an account of the first host. The id is the host's own.
create table vcs_installations (
  id bigint primary key,
  account_id bigint not null,
  account_login text not null,
  account_type text not null check (account_type in ('user', 'organisation')),
  repository_selection text not null check (repository_selection in ('all', 'selected')),
  is_suspended boolean not null default false,
  url text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index vcs_installations_by_account on vcs_installations (lower(account_login));

create table vcs_installation_links (
  organisation_id text not null references organisations (id) on delete cascade deferrable,
  installation_id bigint not null references vcs_installations (id) on delete cascade deferrable,
  -- Who linked it; null when they are gone.
  user_id text references users (id) on delete set null deferrable,
  created_at timestamptz not null default now(),
  primary key (organisation_id, installation_id)
);
create index vcs_installation_links_by_installation on vcs_installation_links (installation_id);

-- One attempt to link: begun here, completed where the host sends the person back to.
create table vcs_attempts (
  id text primary key,
  organisation_id text not null references organisations (id) on delete cascade deferrable,
  user_id text not null references users (id) on delete cascade deferrable,
  provider text not null check (provider in ('provider1', 'provider2', 'provider3')),
  -- waiting: the person is at the host; requested: an owner there must approve; confirm: the browser that came back is
  -- not the one that began, and the person must say yes; then linked or refused.
  state text not null default 'waiting' check (state in ('waiting', 'requested', 'confirm', 'linked', 'refused')),
  installation_id bigint,
  -- Sealed JSON: what the host gave, while the person must still confirm.
  found text,
  account_login text,
  connection_id text,
  message text,
  -- Counts its changes, for the stream.
  progress bigint not null default 1,
  -- When it last did.
  changed_at timestamptz not null default now(),
  -- Until then one return is being looked into, and another keeps away.
  held_until timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index vcs_attempts_by_organisation on vcs_attempts (organisation_id, provider, changed_at desc);
create index vcs_attempts_by_expiry on vcs_attempts (expires_at);

-- The hooks that were made in repositories of the second and third host.
create table vcs_hooks (
  provider text not null check (provider in ('provider2', 'provider3')),
  repository_id text not null,
  hook_id text not null,
  connection_id text references vcs_connections (id) on delete set null deferrable,
  created_at timestamptz not null default now(),
  primary key (provider, repository_id)
);

-- What hosts have told, written down before anything is done about it. The id is the host's own.
create table vcs_deliveries (
  provider text not null check (provider in ('provider1', 'provider2', 'provider3')),
  delivery_id text not null,
  event text not null,
  -- What of it concerns us, as JSON.
  events jsonb not null,
  -- sha256 of a push as it came. A signature is over the body only, so whoever has one can send it under any id.
  body_hash bytea,
  received_at timestamptz not null default now(),
  -- When the same body was first received.
  first_received_at timestamptz not null default now(),
  primary key (provider, delivery_id)
);
-- The first host writes the time into each push; at the third, going back and forth between two commits reads the same.
create unique index vcs_deliveries_one_per_body on vcs_deliveries (body_hash) where provider = 'provider1';
create index vcs_deliveries_by_body on vcs_deliveries (body_hash) where provider = 'provider3';
create index vcs_deliveries_by_age on vcs_deliveries (received_at);

-- How a webhook finds its applications: the path of the repository in lower case, without the host.
alter table applications add column repository_path text;
update applications
set repository_path = lower(regexp_replace(regexp_replace(vcs_repo_url, '^https?://[^/]+/', ''), '(\.git)?/*$', ''))
where vcs_repo_url is not null;
create index applications_by_repository on applications (git_provider, repository_path) where repository_path is not null;
create index applications_by_project_id on applications (provider2_project_id) where provider2_project_id is not null;
create index applications_by_repository_uuid on applications (provider3_repo_uuid) where provider3_repo_uuid is not null;

-- Made because a branch was pushed, not by a person.
alter table environments add column made_by_push boolean not null default false;

-- What the host was last told of a deployment's commit; null: nothing.
alter table deployments add column told_state text check (told_state in ('pending', 'success', 'failure', 'cancelled'));
