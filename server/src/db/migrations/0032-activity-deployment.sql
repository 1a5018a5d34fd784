-- Which deployment it was done to or begun by, so that its list says why it is there. Older entries have none.
alter table activity_entries add column deployment_id text;
