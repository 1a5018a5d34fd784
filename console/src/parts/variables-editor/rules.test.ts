import { changesBetween } from '@lilac/contract/variable-changes';
import { describe, expect, it } from 'vitest';
import {
  describePaste,
  describeValue,
  excessOf,
  fileOf,
  followNews,
  newRow,
  pasteInto,
  problemsOf,
  rowsOf,
  sayOverruled,
  variablesOf,
} from './rules.ts';

function paste(field: 'name' | 'value', text: string, rows = [newRow()]) {
  const file = fileOf({ field, text });
  return file && { ...file, rows: pasteInto(rows, { key: rows[0]!.key, variables: file.variables }) };
}

describe('the rows of the variables', () => {
  it('are what they were, whatever is in the values', () => {
    const variables = { B: ' a\r\nb\n', A: '', C: '"\'`$#=' };
    expect(variablesOf(rowsOf(variables))).toEqual(variables);
  });

  it('a row that nobody has filled in is not saved', () =>
    expect(variablesOf([newRow(), newRow('A', '')])).toEqual({ A: '' }));

  it.each([
    [[newRow('', 'x')], 'needs a name'],
    [[newRow('1A', 'x')], 'no digit first'],
    [[newRow('A-B', 'x')], 'letters, digits and _'],
    [[newRow('A'.repeat(257), 'x')], 'at most 256'],
    [[newRow('A', '1'), newRow('A', '2')], 'A is there already'],
    [[newRow('A', 'x'.repeat(65_537))], 'at most 65536'],
    [[newRow('A', 'a\0b')], 'zero byte'],
  ])('problem %#', (rows, words) => {
    const problems = problemsOf(rows);
    expect([...problems.keys()]).toEqual([rows.at(-1)!.key]);
    expect(problems.get(rows.at(-1)!.key)).toContain(words);
  });

  it('two rows that are still empty do not collide', () => expect(problemsOf([newRow(), newRow()]).size).toBe(0));
});

const many = (count: number, value = '') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`N${at}`, value]));

describe('all variables together', () => {
  it('are too many where the platform would refuse them', () => {
    expect(excessOf(many(1000))).toBeNull();
    expect(excessOf(many(1001))).toBe(
      'An environment has at most 1,000 variables; these are 1,001. Remove some before you save.',
    );
  });

  it('are too much where the platform would refuse them, by what is sent and not by letters', () => {
    const filled = many(8, 'x'.repeat(65_000));
    const left = 512 * 1024 - 8 * 65_002 - 4;
    expect(excessOf({ ...filled, LAST: 'x'.repeat(left) })).toBeNull();
    expect(excessOf({ ...filled, LAST: 'é'.repeat(left) })).toContain('have at most 512 KB; these have');
  });
});

describe('a value in a list of changes', () => {
  it('is hidden until it is shown, except that it is empty', () => {
    expect(describeValue('secret', false)).toMatch(/^•+$/);
    expect(describeValue('secret', true)).toBe('secret');
    expect([true, false].map((isShown) => describeValue('', isShown))).toEqual(['(empty)', '(empty)']);
  });
});

describe('what others save meanwhile', () => {
  const before = { A: '1', B: '2', C: '3' };
  const now = { A: '1', B: 'theirs', C: '3', THEIRS: 'x' };

  it('is followed by rows that nobody has touched, and by no other', () => {
    const rows = [...rowsOf({ A: 'mine', B: '2' }), newRow('MINE', 'y'), newRow()];
    const followed = followNews(rows, { before, now });
    expect(variablesOf(followed)).toEqual({ A: 'mine', B: 'theirs', MINE: 'y', THEIRS: 'x' });
    expect(followed.slice(0, 4).map(({ key }) => key)).toEqual(rows.map(({ key }) => key));
    expect(changesBetween(now, variablesOf(followed))).toEqual({ added: ['MINE'], changed: ['A'], removed: ['C'] });
  });
});

describe('a variable that is called what every object has', () => {
  const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];
  const all = Object.fromEntries(names.map((name) => [name, 'old']));

  it('is followed as others are, and has no value that nobody gave it', () => {
    expect(new Map(Object.entries(variablesOf(followNews([], { before: {}, now: all }))))).toEqual(
      new Map(Object.entries(all)),
    );
    const typed = names.map((name) => newRow(name, 'mine'));
    expect(followNews(typed, { before: {}, now: { A: '1' } }).slice(0, -1)).toEqual(typed);
  });
});

describe('pasting', () => {
  it('a whole file in place of an empty row', () => {
    const pasted = paste('name', 'A=1\nB="two words"\n')!;
    expect(variablesOf(pasted.rows)).toEqual({ A: '1', B: 'two words' });
    expect(pasted.rows).toHaveLength(2);
  });

  it('changes what is there and keeps the rest', () => {
    const pasted = paste('name', 'A=new\nB=2\noops', [newRow('A', 'old'), newRow('Z', '9')])!;
    expect(pasted.rows.map(({ name, value }) => `${name}=${value}`)).toEqual(['A=new', 'B=2', 'Z=9']);
    expect(pasted.unread).toEqual([3]);
  });

  it('takes the last of a name that comes twice, and tells it', () => {
    const { rows, ...file } = paste('name', 'A=1\nB=2\nA=3\noops')!;
    expect(variablesOf(rows)).toEqual({ A: '3', B: '2' });
    expect(describePaste(file)).toBe(
      '2 variables pasted. More than once in it: A; the last value counts. Not understood: line 4.',
    );
    expect(describePaste({ variables: { A: '1' }, unread: [], repeated: [] })).toBe('1 variable pasted.');
  });

  it('leaves plain text to the field', () => {
    expect(paste('name', 'API_TOKEN')).toBeNull();
    expect(paste('value', 'host=db user=ada')).toBeNull();
    expect(paste('value', '-----BEGIN KEY-----\nabc=\n-----END KEY-----')).toBeNull();
  });

  it('takes a file out of the field of a value too', () =>
    expect(variablesOf(paste('value', 'A=1\nB=2')!.rows)).toEqual({ A: '1', B: '2' }));
});

const named = (...names: string[]) => names.map((name) => newRow(name, '1'));

it('names whose values are the platform’s are told, and no others', () => {
  expect(sayOverruled(named('PORT', 'TOKEN', 'LILAC_URL'))).toContain('is given PORT, LILAC_URL by the platform');
  expect(sayOverruled(named('PORTAL', 'LILAC_HEALTH_PATH'))).toBe('');
});
