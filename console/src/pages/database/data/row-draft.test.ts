import { describe, expect, it } from 'vitest';
import { changedValues, draftOf, isTouched, keyOf, nameRow } from './row-draft.ts';

const column = (name: string, type = 'text', more: object = {}) => ({
  name,
  type,
  nullable: true,
  default: null,
  primaryKey: false,
  generated: false,
  list: false,
  ...more,
});
const columns = [
  column('id', 'bigint', { primaryKey: true, nullable: false }),
  column('name', 'text', { nullable: false }),
  column('note'),
  column('tags', 'integer[]', { list: true }),
];
const row = { id: 7, name: 'Ada', note: null, tags: [1, 2] };

describe('editing a row', () => {
  it('sends only what was changed', () => {
    const draft = draftOf(columns, row);
    expect(changedValues(columns, draft, row)).toEqual({});
    draft['name'] = { state: 'value', text: 'Eve' };
    expect(changedValues(columns, draft, row)).toEqual({ name: 'Eve' });
  });

  it('tells an empty text from NULL, both ways', () => {
    const emptied = { ...draftOf(columns, row), note: { state: 'value' as const, text: '' } };
    expect(changedValues(columns, emptied, row)).toEqual({ note: '' });
    const cleared = { ...draftOf(columns, row), name: { state: 'null' as const, text: 'Ada' } };
    expect(changedValues(columns, cleared, row)).toEqual({ name: null });
  });

  it('takes lists as they are shown, and as the engine writes them', () => {
    const with_ = (text: string) => ({ ...draftOf(columns, row), tags: { state: 'value' as const, text } });
    expect(changedValues(columns, with_('[3]'), row)).toEqual({ tags: ['3'] });
    const big = '9007199254740995';
    expect(changedValues(columns, with_(`[${big}]`), row)).toEqual({ tags: [big] });
    expect(changedValues(columns, with_('{3}'), row)).toEqual({ tags: '{3}' });
    expect(changedValues(columns, with_('[3'), row)).toEqual({ tags: '[3' });
  });

  it('takes for a list what the platform calls one, whatever its type is called', () => {
    const named = [column('labels', 'labels', { list: true }), column('json', 'jsonb')];
    const draft = {
      labels: { state: 'value' as const, text: '["a"]' },
      json: { state: 'value' as const, text: '[1]' },
    };
    expect(changedValues(named, draft, null)).toEqual({ labels: ['a'], json: '[1]' });
  });
});

it('what was typed is told from what was there, also in a new row', () => {
  for (const each of [row, null]) {
    const draft = draftOf(columns, each);
    expect(isTouched(columns, draft, each)).toBe(false);
    expect(isTouched(columns, { ...draft, name: { state: 'value', text: 'Eve' } }, each)).toBe(true);
    expect(isTouched(columns, { ...draft, tags: { state: 'null', text: '' } }, each)).toBe(true);
  }
});

describe('a column that is called what every object has', () => {
  const odd = ['__proto__', 'constructor', 'toString'].map((name) => column(name));

  it('is sent where it was changed, and only there', () => {
    const before = Object.fromEntries(odd.map(({ name }) => [name, 'old']));
    for (const { name } of odd) {
      const draft = { ...draftOf(odd, before), [name]: { state: 'value' as const, text: 'new' } };
      expect(Object.entries(changedValues(odd, draft, before))).toEqual([[name, 'new']]);
    }
  });

  it('is NULL in a row that came without it', () => {
    expect(Object.values(draftOf(odd, {})).map(({ state }) => state)).toEqual(['null', 'null', 'null']);
    expect(keyOf([column('constructor', 'text', { primaryKey: true })], {})).toBeNull();
  });
});

describe('a new row', () => {
  it('leaves to the table what was not given', () => {
    const draft = draftOf(columns, null);
    expect(Object.values(draft).map(({ state }) => state)).toEqual(['default', 'value', 'default', 'default']);
    expect(changedValues(columns, draft, null)).toEqual({ name: '' });
  });

  it('leaves to it also what takes no value', () => {
    const made = [column('id', 'bigint', { generated: true, nullable: false })];
    expect(changedValues(made, draftOf(made, null), null)).toEqual({});
  });
});

describe('the key of a row', () => {
  it('is what people call it by', () => {
    expect(nameRow({ id: 7 })).toBe('the row with id 7');
    expect(nameRow({ id: 7, language: 'en' })).toBe('the row with id 7 and language en');
    expect(nameRow({ id: 'x'.repeat(99) })).toHaveLength('the row with id '.length + 40);
  });
  it('is the whole primary key', () => expect(keyOf(columns, row)).toEqual({ id: 7 }));
  it('is none without a primary key, or where it was cut', () => {
    expect(keyOf(columns.slice(1), row)).toBeNull();
    expect(keyOf(columns, { ...row, id: `${'x'.repeat(65_536)}… (cut)` })).toBeNull();
  });
});
