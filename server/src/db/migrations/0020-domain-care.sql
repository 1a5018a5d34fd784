-- Certificates outlive their domains for a while, orders are counted, and what is amiss with a domain is a state.

alter table certificates
  -- Whose it was before its domain was taken away: kept, and shown to nobody, until they come back with the same name
  -- or it ends. Null: it is in use.
  add column kept_for text references organisations (id) on delete cascade deferrable,
  -- Attempts in a row that did not even reach the authority.
  add column unreached integer not null default 0;
create index certificates_by_kept_for on certificates (kept_for) where kept_for is not null;

create function keep_certificate() returns trigger language plpgsql as $$
begin
  update certificates set
    domain_id = null, kept_for = old.organisation_id, status = 'issued', order_url = null, order_key = null,
    tries = 0, unreached = 0, next_try_at = null, limited_until = null, error = null, warned_at = null
  where domain_id = old.id and chain is not null and not is_revoked and not_after > now()
    -- An organisation that is deleted takes all of its keys along.
    and exists (select from organisations where id = old.organisation_id);
  return old;
end $$;
create trigger domains_keep_certificate before delete on domains for each row execute function keep_certificate();

-- Every order that an authority was given: authorities count them, and so do we, to stay well below their limits. It
-- outlives the organisation, as their counting does.
create table certificate_orders (
  order_url text primary key,
  -- Null: for a host of the platform's own.
  organisation_id text,
  -- What authorities count by: the domain as somebody has registered it.
  domain text not null,
  is_renewal boolean not null,
  ordered_at timestamptz not null
);
create index certificate_orders_by_organisation on certificate_orders (organisation_id, ordered_at) where not is_renewal;
create index certificate_orders_by_domain on certificate_orders (domain, ordered_at) where not is_renewal;
create index certificate_orders_by_time on certificate_orders (ordered_at);

-- Since when its records lead elsewhere, after they had led here. Null: they do not, or never led here.
alter table domains add column astray_since timestamptz;
update domains set astray_since = coalesce(checked_at, now()) where verified_at is not null and not is_pointing;

-- The name that an environment had until another organisation proved that it is theirs.
create table lost_domains (
  environment_id text primary key references environments (id) on delete cascade deferrable,
  organisation_id text not null references organisations (id) on delete cascade deferrable,
  hostname text not null,
  lost_at timestamptz not null
);
create index lost_domains_by_organisation on lost_domains (organisation_id);

-- A record that led to the generated name leads to none of its environment's any more: it is to be looked at soon.
create function look_at_domain_soon() returns trigger language plpgsql as $$
begin
  update domains set next_check_at = now() where environment_id = new.id;
  return null;
end $$;
create trigger environments_look_at_domain after update of subdomain on environments
  for each row when (old.subdomain <> new.subdomain) execute function look_at_domain_soon();
