import { expect, it } from 'vitest';
import { allEnd, endOf, endsOf, GOING, type Kit } from './conformance-kit.ts';

const HOSTILE = [
  `we"ir'd \`name\``,
  'größe 漢字',
  'x"; drop table place; --',
  'x` (id int); --',
  '%s $1 ? \\',
  'select',
];
const NO_NAMES = [...HOSTILE, 'Place', 'place ', 'place\0', 'place"', ''];

const NO_TYPES = [
  'int); drop table place; --',
  'int, b int',
  'int default 5',
  'int check (true)',
  'int primary key',
  'int references place (id)',
  'int /* ',
  'int)',
  'varchar(20',
  'varchar(20)); create table evil (id int',
  'nonsense',
  "enum('a') default (select 1)",
  'int\0',
  '',
];

/** Names and types are parts of statements, and nothing else. */
export function conformNames(kit: () => Kit): void {
  it('takes names as they are, whatever is in them', async () => {
    const { create, insert, rows, update, drop, names, explorer } = kit();
    for (const name of HOSTILE) {
      await create(name, { id: 'int', [name]: 'varchar(100)' });
      expect(await insert(name, { id: 1, [name]: name })).toEqual({ id: 1, [name]: name });
      const filters = [{ column: name, operator: 'contains' as const, value: name }];
      expect(await rows(name, { filters, sortColumn: name })).toEqual({ rows: [{ id: 1, [name]: name }], total: 1 });
      expect(await update(name, { id: 1 }, { [name]: 'x' })).toEqual({ id: 1, [name]: 'x' });
      await explorer.changeTable({ operation: 'rename', table: name, newName: 'renamed' }, GOING);
      await explorer.changeTable({ operation: 'truncate', table: 'renamed' }, GOING);
      expect((await rows('renamed')).total).toBe(0);
      await drop('renamed');
    }
    expect(await names()).toEqual(['place']);
  });

  it('takes nothing that is no name for one', async () => {
    const { create, insert, rows, update, remove, drop, names } = kit();
    expect((await endsOf(NO_NAMES, rows)).map(([, end]) => end)).not.toContain('taken');
    expect((await endsOf(NO_NAMES, drop)).map(([, end]) => end)).not.toContain('taken');
    expect((await endsOf(NO_NAMES, (schema) => rows('place', { schema }))).map(([, end]) => end)).not.toContain(
      'taken',
    );
    const refused = allEnd(NO_NAMES, 'refused');
    expect(await endsOf(NO_NAMES, (sortColumn) => rows('place', { sortColumn }))).toEqual(refused);
    expect(
      await endsOf(NO_NAMES, (column) => rows('place', { filters: [{ column, operator: '=', value: 1 }] })),
    ).toEqual(refused);
    expect(await endsOf(NO_NAMES, (column) => insert('place', { id: 9, [column]: 1 }))).toEqual(refused);
    expect(await endsOf(NO_NAMES, (column) => update('place', { id: 1 }, { [column]: 1 }))).toEqual(refused);
    expect(await endsOf(NO_NAMES, (column) => remove('place', { [column]: 1 }))).toEqual(refused);
    expect(await endOf(rows('nowhere'))).toBe('no table');
    expect(await endOf(rows('nowhere 😀'))).toBe('no table');
    expect(await endOf(create('new', { 'zero\0': 'int' }))).toBe('refused');
    expect(await names()).toEqual(['place']);
    expect((await rows('place')).total).toBe(3);
  });

  it('takes types of the engine only', async () => {
    const { create, rows, names, explorer } = kit();
    expect(await endsOf(NO_TYPES, (a) => create('new', { id: 'int', a, b: 'int' }))).toEqual(
      allEnd(NO_TYPES, 'refused'),
    );
    expect(await names()).toEqual(['place']);
    expect((await rows('place')).total).toBe(3);
    // For some engines a comment may be part of a type; it hides nothing of what follows.
    await endsOf(['int -- '], (a) => create('new', { id: 'int', a, b: 'int' }));
    const made = (await explorer.schema(GOING)).filter(({ name }) => name === 'new');
    for (const { columns } of made) expect(columns.map(({ name }) => name)).toEqual(['id', 'a', 'b']);
  });
}
