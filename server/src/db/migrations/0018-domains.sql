-- Domains of one's own, and certificates.

-- The name below a star, and what stands behind its first label: by these, neighbours are found.
create function domain_base(hostname text) returns text language sql immutable parallel safe
  return regexp_replace(hostname, '^\*\.', '');
create function domain_parent(hostname text) returns text language sql immutable parallel safe
  return regexp_replace(domain_base(hostname), '^[^.]+\.', '');

-- At most one an environment; one host name belongs to one environment. `environments.custom_domain` says the same name.
create table domains (
  id text primary key,
  organisation_id text not null references organisations (id) on delete cascade deferrable,
  environment_id text not null unique references environments (id) on delete cascade deferrable,
  -- Lower case, ASCII, without a dot at its end; may begin with '*.'.
  hostname text not null unique,
  -- A zone of the DNS begins there, so that it cannot have a CNAME record.
  is_apex boolean not null default false,
  -- Since when it is known that whoever added it may; from then on it is served. Null: not yet.
  verified_at timestamptz,
  -- Whether the records were there at the last look.
  is_pointing boolean not null default false,
  checked_at timestamptz,
  -- When to look again, and how often in vain so far.
  next_check_at timestamptz,
  failed_checks integer not null default 0,
  -- What the last look found amiss, for a person.
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index domains_by_organisation on domains (organisation_id);
create index domains_by_next_check on domains (next_check_at);
create index domains_by_base on domains (domain_base(hostname));
create index domains_by_base_from_behind on domains (reverse(domain_base(hostname)) text_pattern_ops);
create index domains_by_parent on domains (domain_parent(hostname));

-- Names that an organisation has proved and no longer has. Records of the DNS may be left behind: they must not prove
-- anything for another one. It outlives the organisation, as such records do.
create table former_domains (
  hostname text not null,
  organisation_id text not null,
  ended_at timestamptz not null default now(),
  primary key (hostname, organisation_id)
);
create index former_domains_by_base on former_domains (domain_base(hostname));
create index former_domains_by_base_from_behind on former_domains (reverse(domain_base(hostname)) text_pattern_ops);
create index former_domains_by_parent on former_domains (domain_parent(hostname));
create function remember_domain() returns trigger language plpgsql as $$
begin
  insert into former_domains (hostname, organisation_id) values (old.hostname, old.organisation_id)
    on conflict (hostname, organisation_id) do update set ended_at = now();
  return null;
end $$;
create trigger domains_remember after delete on domains
  for each row when (old.verified_at is not null) execute function remember_domain();

-- Generated names that an organisation has given up: by renaming, or with the environment. CNAME records may still lead to
-- them, and must not prove anything for whoever has such a name next.
create table former_subdomains (
  subdomain text not null,
  organisation_id text not null,
  ended_at timestamptz not null default now(),
  primary key (subdomain, organisation_id)
);
create function remember_subdomain() returns trigger language plpgsql as $$
begin
  insert into former_subdomains (subdomain, organisation_id) values (old.subdomain, old.organisation_id)
    on conflict (subdomain, organisation_id) do update set ended_at = now();
  return null;
end $$;
create trigger environments_remember_new_name after update of subdomain on environments
  for each row when (old.subdomain <> new.subdomain) execute function remember_subdomain();
create trigger environments_remember_end after delete on environments
  for each row when (old.subdomain <> old.id) execute function remember_subdomain();

-- A change raises the version; edges read what is newer than what they have.
create sequence certificate_versions;
create table certificates (
  id text primary key,
  -- As in `domains`. Browsers name a host; this is what is compared.
  hostname text not null unique,
  -- Null: a host of the platform's own.
  domain_id text unique references domains (id) on delete cascade deferrable,
  status text not null default 'provisioning' check (status in ('provisioning', 'issued', 'failed', 'renewing')),
  -- What was issued; null until then. The chain is PEM, the own certificate first.
  chain text,
  -- Sealed PEM.
  private_key text,
  issuer text,
  serial text,
  not_before timestamptz,
  not_after timestamptz,
  renew_at timestamptz,
  is_revoked boolean not null default false,
  -- The authority's word that it is not revoked, to be shown along; null where the authority gives none.
  ocsp bytea,
  ocsp_renew_at timestamptz,
  -- The order that is under way at the authority, so that whoever comes after a crash goes on with it.
  order_url text,
  -- Sealed PEM: the key that order is for.
  order_key text,
  -- Attempts in vain since the last success, when the next one is due, and why the last one failed, for a person.
  tries integer not null default 0,
  next_try_at timestamptz,
  -- The authority's limit for this name is reached: nothing is asked of it before, whoever wishes it.
  limited_until timestamptz,
  error text,
  -- When people were last told that it is about to end.
  warned_at timestamptz,
  version bigint not null default nextval('certificate_versions'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index certificates_by_version on certificates (version);
create index certificates_by_renew_at on certificates (renew_at);

-- The platform's account at a certificate authority.
create table acme_accounts (
  id text primary key,
  directory_url text not null unique,
  -- Sealed PEM.
  account_key text not null,
  account_url text,
  -- The authority's limit is reached: nothing is asked of it before.
  paused_until timestamptz,
  created_at timestamptz not null default now()
);

-- What an authority asks for over HTTP, while an order is under way. Any edge answers.
create table acme_challenges (
  token text primary key,
  answer text not null,
  expires_at timestamptz not null
);

-- Signs certificates for local names, which no public authority would.
create table local_authority (
  id text primary key default 'local' check (id = 'local'),
  -- PEM.
  certificate text not null,
  -- Sealed PEM.
  private_key text not null,
  not_after timestamptz not null,
  created_at timestamptz not null default now()
);

alter table routes
  -- The domain of one's own at which it answers too; null: none.
  add column domain text,
  -- Whether it answers at its subdomain.
  add column at_subdomain boolean not null default true;

alter table environments
  -- It had a domain of its own, and was to be reached at no other address.
  add column hides_subdomain boolean not null default false;

-- Names that were noted before domains were served. Of several who want the same, the first has it.
update environments set custom_domain = null where custom_domain is not null and exists (
  select from environments earlier
  where earlier.custom_domain = environments.custom_domain
    and (earlier.created_at, earlier.id) < (environments.created_at, environments.id)
);
insert into domains (id, organisation_id, environment_id, hostname, created_at, updated_at)
  select 'dom_' || substr(md5(id || custom_domain), 1, 24), organisation_id, id, custom_domain, created_at, updated_at
  from environments where custom_domain is not null;
