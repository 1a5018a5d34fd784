-- What of a log is allowed: by the time during which it was written, and to visitors no more than half.

alter table log_positions
  -- When that was: what was written since is allowed for all of that time, however late and quickly it is read.
  add column read_at timestamptz not null default now();

alter table log_usage
  -- Of those bytes, how many are lines about requests, which anybody can cause.
  add column access_bytes bigint not null default 0;
