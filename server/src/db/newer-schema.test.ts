import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestStore } from '../testing/test-store.ts';
import { migrationNames } from './migrate.ts';
import { findUnbearable, unknownMigrations } from './newer-schema.ts';

/** Before it, hosts were not upgraded one after another. */
const FIRST = '0028';

describe('every migration that an older program must bear', () => {
  const files = migrationNames().filter((name) => name >= FIRST && !/^\d{4}-contract-\d{4}-/.test(name));

  it.each(files)('%s only adds', (name) => {
    const text = readFileSync(join(import.meta.dirname, 'migrations', `${name}.sql`), 'utf8');
    expect(takenAway(text)).toEqual([]);
  });

  it.each([
    'drop table apis',
    'alter table jobs drop column lane',
    'alter table jobs rename column lane to road',
    'alter table jobs alter column lane type bytea using null',
    'alter table jobs alter column lane set not null',
    'alter table jobs add column road text not null',
    'alter table jobs add constraint jobs_lane check (lane is not null)',
    'create unique index jobs_lane on jobs (lane)',
    'delete from jobs',
    'alter table jobs alter column attempts drop default',
    'alter table if exists jobs drop column lane',
    'alter table only jobs drop column lane',
    'create trigger watch before insert on jobs for each row execute function refuse()',
    'create or replace rule quiet as on insert to jobs do instead nothing',
    'create policy mine on jobs using (false)',
    'merge into jobs using news on true when matched then delete',
    'drop index jobs_waiting',
    'create or replace function keep() returns trigger language sql as $$ select null $$',
    'alter table jobs disable trigger all',
    'alter table jobs add exclude using gist (lane with =)',
    'alter table jobs set schema elsewhere',
    'alter table jobs alter column attempt drop identity',
    'alter table jobs add column road text check (road is not null)',
    'alter table jobs add column road text unique',
    'alter table jobs add column road text references apis',
    'alter table jobs add column n integer not null generated always as (attempt) stored, add column m text',
    'alter table jobs add column road text, drop column lane',
    'alter table jobs enable row level security',
    "alter type state rename value 'a' to 'b'",
    'create table roads (job_id text references jobs)',
    'create table jobs_of_today partition of jobs default',
    'insert into jobs values (1)',
    'revoke insert on jobs from public',
    'lock table jobs',
    'do $$ begin null end $$',
  ])('is refused when it says: %s', (statement) => {
    for (const made of ['create table news (id text)', 'create table if not exists news (id text)'])
      expect(takenAway(`${made};\n${statement};`)).toEqual([statement]);
  });

  it('may say these, which an older program does not notice', () => {
    const text = `
      -- drop table jobs;
      alter table jobs
        add column road text, add column if not exists length numeric(4, 2) not null default 0, add column at timestamptz default now() not null,
        alter column lane drop not null;
      alter table jobs add column words text[] not null default '{}';
      create index jobs_road on jobs (road, length);
      create sequence drawn;
      create unlogged table news (id text primary key, job_id text references jobs on delete cascade deferrable, at timestamptz not null);
      create unique index news_at on news (at);
      alter table news add constraint short check (length(id) < 10);
      create function told() returns trigger language sql as 'select null';
      create trigger tell after insert on news for each row execute function told();
      insert into news select id, id, now() from jobs;
      comment on table jobs is 'what is to be done';`;
    expect(takenAway(text)).toEqual([]);
  });
});

describe('a program that is older than the store', () => {
  it('knows what it does not know', async () => {
    await using store = await createTestStore();
    const known = migrationNames();
    expect(await unknownMigrations(store.db)).toEqual([]);
    expect(await unknownMigrations(store.db, known.slice(0, -2))).toEqual(known.slice(-2));
    await sql`drop table kysely_migration`.execute(store.db);
    expect(await unknownMigrations(store.db)).toEqual([]);
  });

  const known = ['0040-a', '0041-b'];
  it('bears what was added, and what was taken away when it did not need it any more', () => {
    expect(findUnbearable(['0042-c', '0043-contract-0041-old'], known)).toBeUndefined();
  });

  it('does not bear that what it needs was taken away, nor a store of another line', () => {
    expect(findUnbearable(['0042-c', '0043-contract-0042-old'], known)).toBe('0043-contract-0042-old');
    expect(findUnbearable(['0041-other'], known)).toBe('0041-other');
  });
});

/**
 * Statements over which a program that does not know them may stumble: all but those that are known to do nothing to it.
 * What it does not know at all, a table that is made here, may be treated in any way.
 */
function takenAway(text: string): string[] {
  const statements = text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
    .filter((statement) => statement !== '');
  const made = new Set(statements.flatMap((statement) => MAKES.exec(statement)?.[1] ?? []));
  return statements.filter((statement) => {
    const table = OF_TABLE.exec(statement)?.[1];
    return !(table && made.has(table)) && !isBorne(statement);
  });
}

const MAKES = /^create (?:unlogged )?table (?:if not exists )?(\w+) \(/i;

const OF_TABLE =
  /^(?:alter table(?: if exists)?(?: only)?|create unique index \w+ on|insert into|delete from|update|truncate|create (?:or replace )?trigger .* on) (\w+)/i;

/** Rows of what was there can be deleted as before. */
const HOLDS_FAST = /\breferences \w+\b(?! ?(?:\([^)]*\) )?on delete (?:cascade|set null))/i;

function isBorne(statement: string): boolean {
  if (MAKES.test(statement)) return !HOLDS_FAST.test(statement);
  const changes = /^alter table (?:if exists )?(?:only )?\w+ (.*)$/i.exec(statement)?.[1];
  if (changes) return clausesOf(changes).every((clause) => BORNE_CHANGES.some((pattern) => pattern.test(clause)));
  return BORNE.some((pattern) => pattern.test(statement));
}

const BORNE = [/^create index /i, /^create (sequence|type|function) /i, /^comment on /i];

const NAME_AND_TYPE = String.raw`\w+ \w+( with time zone)?( ?\([\d, ]+\))?(\[\])?`;
const DEFAULT = String.raw`default ('[^']*'|[\w.+-]+)(\(\))?(::\w+)?`;
const BORNE_CHANGES = [
  new RegExp(`^add column (if not exists )?${NAME_AND_TYPE}( ${DEFAULT})?$`, 'i'),
  new RegExp(`^add column (if not exists )?${NAME_AND_TYPE} (not null ${DEFAULT}|${DEFAULT} not null)$`, 'i'),
  /^alter column \w+ drop not null$/i,
];

/** By commas, but for those between brackets. */
const clausesOf = (changes: string): string[] => changes.split(/, (?![^(]*\))/);
