alter table database_servers
  -- Of a standby: it has everything that the primary ever acknowledged, since no commit is acknowledged without it.
  -- Written down false before the primary is told to go on alone, and true only after it has been told to wait: so
  -- nobody takes one for good that missed something, whoever was killed in between.
  add column in_step boolean not null default false;
