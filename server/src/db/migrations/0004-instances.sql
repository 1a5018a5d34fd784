-- Running servers: what a deployment runs as, who is degraded for another reason than its last deployment, passwords.

alter table artifacts drop constraint artifacts_kind_check;
alter table artifacts add constraint artifacts_kind_check check (kind in ('static', 'slug'));

alter table applications
  -- False: detection may correct the runtime.
  add column is_runtime_given boolean not null default false;

alter table deployments
  -- How its instances are run (RunSpec), as it was when it was built; null where it is static.
  add column run jsonb,
  -- Sealed: the variables of the environment as they were when it was built. Its instances get these.
  add column variables text;

alter table environments
  -- What is wrong with the instances of what is live, for a person; null when nothing is.
  add column trouble text,
  -- The password that opens its address, hashed; null where anybody may come.
  add column password_hash text;

alter table routes
  -- What opens the address (RouteLock); null where it is open.
  add column lock jsonb;

alter table edges
  -- What the edge has to do at the moment, by environment and by instance (EdgeLoad).
  add column load jsonb not null default '{}';
