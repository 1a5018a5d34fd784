-- What one worker of all does: who does it, and for which time in a row somebody does. A worker that was the leader
-- and does not know yet that it is not any more is told by the number.
create table leaderships (
  name text primary key,
  term bigint not null,
  worker text,
  -- Where what is led lives on one host, only that one leads; null: any may.
  host text,
  since timestamptz not null default now()
);
