-- How often the worker that ran it ended, or hung for so long that the job was taken from it. One that is stopped does not
-- count, nor does a store that is away.
alter table jobs add column deaths integer not null default 0;
