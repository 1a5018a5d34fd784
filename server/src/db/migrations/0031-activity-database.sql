-- Which database it was done to, so that an entry leads there. It stays when that goes; older entries have none.
alter table activity_entries add column database_id text;
