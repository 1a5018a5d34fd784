-- Somebody wants a renewal now: it need not wait until others are renewed, as those do that can wait.
alter table certificates add column skips_pace boolean not null default false;
