-- The first host's own id of a repository, which stays when it is renamed; null where it was never told.
alter table applications add column provider1_repo_id bigint;
create index applications_by_first_host_id on applications (provider1_repo_id) where provider1_repo_id is not null;

-- Why the host could not be made to tell of pushes, for people; null: nothing is known to be wrong.
alter table applications add column push_trouble text;
