-- What environments have to do and what they use: a minute at a time, and a quarter of an hour at a time for longer.

create table metric_minutes (
  -- Empty: the platform itself. That it has a row says that the minute was watched at all.
  environment_id text not null,
  -- Since 1970, in UTC. Partitions are of a day; they are made by whoever writes, and dropped when they are old.
  minute integer not null,
  -- Of a process that counts: each has rows of its own, and writes them anew as long as the minute lasts.
  source bigint not null,
  -- What an edge counts; null where the source is none.
  requests bigint,
  bytes_in bigint,
  bytes_out bigint,
  -- How many answers took how long (metrics/latency-histogram.ts).
  latencies bytea,
  -- What a worker sees; null where the source is none. How often it looked, and what it saw, added up.
  looks integer,
  instances integer,
  memory_bytes double precision,
  cpu_seconds double precision,
  cpu_allowed_seconds double precision,
  primary key (environment_id, minute, source)
) partition by range (minute);
-- Rows come in the order of time: this finds a quarter of an hour of everybody, and costs next to nothing.
create index metric_minutes_by_time on metric_minutes
  using brin (minute) with (pages_per_range = 16, autosummarize = on);

create table metric_quarters (
  environment_id text not null,
  -- Quarters of an hour since 1970.
  quarter integer not null,
  requests bigint,
  bytes_in bigint,
  bytes_out bigint,
  latencies bytea,
  looks integer,
  instances integer,
  memory_bytes double precision,
  cpu_seconds double precision,
  cpu_allowed_seconds double precision,
  -- With everything: a week of one environment lies together here, and in as many pages as rows in the table.
  primary key (environment_id, quarter) include (
    requests, bytes_in, bytes_out, latencies, looks, instances, memory_bytes, cpu_seconds, cpu_allowed_seconds
  )
) partition by range (quarter);

-- Quarters of which minutes were written that are not in their sums yet. Whoever writes minutes holds the row to
-- the commit, and whoever sums up deletes it first, so that nothing is forgotten.
create table metric_pending_quarters (
  quarter integer primary key
);
