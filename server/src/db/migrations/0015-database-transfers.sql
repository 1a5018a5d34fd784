-- Imports under way, and databases that are made from a backup.

create table database_imports (
  database_id text primary key references databases (id) on delete cascade deferrable,
  upload_id text not null,
  storage_path text not null,
  -- PostgreSQL: the transaction that it all happens in, written down before anything is written. Whether it was
  -- committed can be asked for later, so that nothing is imported twice.
  transaction_id text,
  created_at timestamptz not null default now()
);

alter table databases
  -- The backup that it is made from; null where it begins empty, and once the data is in.
  add column restore_from text;
create index databases_by_restore on databases (restore_from) where restore_from is not null;
