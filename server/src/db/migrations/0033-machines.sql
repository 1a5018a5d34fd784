-- Every address that a process of the platform sees its machine have: programs in a swarm are kept from these.
create table machines (
  name text primary key,
  addresses text[] not null,
  seen_at timestamptz not null default now()
);
