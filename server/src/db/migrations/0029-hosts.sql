-- Each api that edges of other hosts may call says here where it is.
create table apis (
  name text primary key,
  address text not null,
  seen_at timestamptz not null default now()
);

-- How many requests a client has made at all apis together. After a crash of the store counting begins anew.
create unlogged table rate_windows (
  client text primary key,
  used bigint not null,
  ends_at timestamptz not null
);

-- Where an edge is reached from other hosts: a worker asks new instances through it.
alter table edges add column address text;
