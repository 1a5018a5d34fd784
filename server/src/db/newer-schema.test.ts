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
  ])('is refused when it says: %s', (statement) => {
    for (const made of ['create table news (id text)', 'create table if not exists news (id text)'])
      expect(takenAway(`${made};\n${statement};`)).toEqual([statement]);
  });

  it('may say these, which an older program does not notice', () => {
    const text = `
      -- drop table jobs;
      alter table jobs add column road text, add column length integer not null default 0;
      create index jobs_road on jobs (road);
      create table news (id text primary key, at timestamptz not null);
      create unique index news_at on news (at);`;
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

/** Statements that a program which does not know them would stumble over. */
function takenAway(text: string): string[] {
  const statements = text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
    .filter((statement) => statement !== '');
  const made = new Set(
    statements.flatMap((statement) => /^create table (?:if not exists )?(\w+)/i.exec(statement)?.[1] ?? []),
  );
  return statements.filter((statement) => {
    const table = OF_TABLE.exec(statement)?.[1];
    return !(table && made.has(table)) && STUMBLES.some((pattern) => pattern.test(statement));
  });
}

const OF_TABLE =
  /^(?:alter table(?: if exists)?(?: only)?|create unique index \w+ on|delete from|update|truncate|create (?:or replace )?trigger .* on) (\w+)/i;

const STUMBLES = [
  /^drop (?!index)/i,
  /^(delete|truncate|update|merge) /i,
  /^create (or replace )?(constraint trigger|trigger|rule|policy) /i,
  /^create unique index/i,
  /\b(drop (?!not null)|rename |alter column \w+ (set data )?type|set not null|add constraint|add (unique|primary|foreign|check))\b/i,
  /\badd column(?![^,]*default)[^,]*not null/i,
];
