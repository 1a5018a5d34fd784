-- What is amiss with the records of a domain: a record that is missing is told apart from one that is wrong.

alter table domains
  -- Null: nothing, or nobody could tell yet.
  add column record_fault text check (record_fault in ('missing', 'wrong'));
-- Until the next look, by what was said at the last one.
update domains set record_fault = case when error like 'No % record was found at %' then 'missing' else 'wrong' end
  where error is not null and not is_pointing;
