-- What of a log is allowed to visitors: no more than half.

alter table log_usage
  -- Of those bytes, how many are lines about requests, which anybody can cause.
  add column access_bytes bigint not null default 0;
