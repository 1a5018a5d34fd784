-- What is done in an organisation beside its environments: keys, members, folders, the plan.

alter table activity_entries
  -- What it was done to: a name or an email, never a value. It stays when that goes.
  add column subject text,
  -- The same deed, told to a further environment that it touched: the organisation's list has it once.
  add column is_repeated boolean not null default false;

drop index activity_organisation;
create index activity_organisation on activity_entries (organisation_id, created_at desc, id desc)
  where not is_repeated;
