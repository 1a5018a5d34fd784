-- What the platform knows of itself: who asked for a job, what failed unexpectedly, what its processes count.

alter table jobs
  -- The request that led to it, through as many jobs as lie between.
  add column request_id text;

create table platform_errors (
  -- What the answer or the log calls it.
  id text primary key,
  occurred_at timestamptz not null default now(),
  role text not null,
  -- The endpoint or the kind of job.
  origin text not null,
  request_id text,
  job_id text,
  message text not null,
  stack text not null
);
create index platform_errors_newest on platform_errors (occurred_at desc, id desc);
create index platform_errors_request on platform_errors (request_id) where request_id is not null;

-- What each process has counted, written by itself every few seconds.
create unlogged table platform_vitals (
  -- Its successor has the same.
  process text primary key,
  machine text not null,
  home text not null,
  role text not null,
  place integer not null,
  written_at timestamptz not null default now(),
  families jsonb not null
);
