-- Compressed forms of blobs, so that a content is compressed once, however many artifacts have it.

create table blob_variants (
  hash bytea not null,
  coding text not null check (coding in ('br', 'gzip')),
  -- Null: it was tried, and does not make it smaller.
  variant_hash bytea,
  size integer,
  primary key (hash, coding)
);
create index blob_variants_variant on blob_variants (variant_hash) where variant_hash is not null;
