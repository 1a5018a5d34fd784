-- What came of an order counts, a name has a bound of its own, and nothing is ordered for names that lead elsewhere.

alter table certificate_orders
  -- Null: from before it was noted.
  add column hostname text,
  -- Open: nobody has heard the end of it, be it under way or given up.
  add column state text not null default 'open' check (state in ('open', 'issued', 'failed'));
update certificate_orders set state = 'issued';
drop index certificate_orders_by_domain;
create index certificate_orders_by_domain on certificate_orders (domain, ordered_at)
  where state = 'issued' and not is_renewal;
create index certificate_orders_in_vain_by_hostname on certificate_orders (hostname, ordered_at) where state <> 'issued';
create index certificate_orders_in_vain_by_organisation on certificate_orders (organisation_id, ordered_at)
  where state <> 'issued';

alter table certificates
  -- The platform's own budget is used up: nothing is ordered before, unless whoever runs the platform wishes it.
  add column waits_until timestamptz,
  -- Whoever runs the platform wants it ordered now: the budget does not hold the next order back.
  add column skips_budget boolean not null default false,
  -- Why the last attempt failed, with what only whoever runs the platform may read; null: `error` says all.
  add column operator_error text;
-- Until now both kinds of limits were noted in one place.
update certificates set waits_until = limited_until, limited_until = null
  where limited_until is not null and error like '%; there is nothing to be done.';

create or replace function keep_certificate() returns trigger language plpgsql as $$
begin
  update certificates set
    domain_id = null, kept_for = old.organisation_id, status = 'issued', order_url = null, order_key = null,
    tries = 0, unreached = 0, next_try_at = null, limited_until = null, waits_until = null, skips_budget = false,
    error = null, operator_error = null, warned_at = null
  where domain_id = old.id and chain is not null and not is_revoked and not_after > now()
    -- An organisation that is deleted takes all of its keys along.
    and exists (select from organisations where id = old.organisation_id);
  return old;
end $$;

-- Whether visitors came here at the last look, by whosever records: an authority that asks at the name asks us.
alter table domains add column is_reached boolean not null default false;
update domains set is_reached = is_pointing;
