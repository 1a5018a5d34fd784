import { expect, it } from 'vitest';
import { readList } from './read-list.ts';

it('rounds no number of a list, however deep', () => {
  expect(readList('[9007199254740995, -1.10, 1e400, [0]]')).toEqual(['9007199254740995', '-1.10', '1e400', ['0']]);
});

it('leaves texts, truths and NULL as they are', () => {
  const text = String.raw`[true, null, "5", "a \"1\" {2", "\\", []]`;
  expect(readList(text)).toEqual([true, null, '5', 'a "1" {2', '\\', []]);
});

it('takes an object as it is written', () => {
  const object = '{"a": {"b": 9007199254740995}, "c": "}"}';
  expect(readList(`[${object}, 1, {}]`)).toEqual([object, '1', '{}']);
});

it('knows what is no list', () => {
  expect(['{1}', '[1', '[01]', '[0:1]={1,2}', ''].map(readList)).toEqual([null, null, null, null, null]);
});
