-- The logs of environments: compressed chunks of about a thousand lines, in partitions of a day.

create table log_heads (
  environment_id text primary key references environments on delete cascade,
  -- Whoever appends takes numbers here and holds the row until it commits, so lines become visible in their order.
  next_line bigint not null default 1
);

create table log_chunks (
  environment_id text not null,
  -- Of the last line, in UTC. Partitions are made by whoever appends, and dropped when they are old.
  day date not null,
  first_line bigint not null,
  line_count integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- A bit for each severity that is in it, the least severe first.
  severities smallint not null,
  -- What the messages have, uncompressed.
  bytes integer not null,
  body bytea not null,
  primary key (environment_id, first_line, day)
) partition by range (day);
-- It is compressed already.
alter table log_chunks alter column body set storage external;

-- How far the output of an instance has been read; written in the transaction that stores the lines.
create table log_positions (
  instance_id text primary key,
  environment_id text not null,
  stdout bigint not null,
  stderr bigint not null
);

-- What an environment has written in a day: what the caps go by.
create table log_usage (
  environment_id text not null references environments on delete cascade,
  day date not null,
  lines bigint not null default 0,
  bytes bigint not null default 0,
  dropped_lines bigint not null default 0,
  primary key (environment_id, day)
);
