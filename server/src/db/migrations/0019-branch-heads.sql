-- Where a branch was when a push of it was last acted on, whether that deployed anything or not. A host that tells the same
-- push again brings nothing back that somebody has taken away since.
create table vcs_branch_heads (
  application_id text not null references applications (id) on delete cascade deferrable,
  branch text not null,
  head text not null,
  seen_at timestamptz not null default now(),
  primary key (application_id, branch)
);
