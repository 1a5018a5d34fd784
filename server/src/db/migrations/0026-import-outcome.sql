-- How the last import of a database ended: what is said of the database itself, its servers overwrite. The upload that was
-- run, and why it failed; without a reason it is in.
alter table databases add column last_import_upload text;
alter table databases add column last_import_error text;
