-- Everything of an import is in the database: whoever comes after a crash only lets people in again. Until then what was
-- there before is put back first, and what people wrote meanwhile would be gone.
alter table database_imports add column is_loaded boolean not null default false;
