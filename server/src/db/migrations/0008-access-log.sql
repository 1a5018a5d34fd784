-- A line of the log for every request, where somebody wants it.

alter table environments
  add column access_log boolean not null default false;

alter table routes
  -- What the environment says, for the edges: they write the lines.
  add column access_log boolean not null default false;
