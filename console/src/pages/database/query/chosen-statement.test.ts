import { expect, it } from 'vitest';
import { chosenStatement } from './chosen-statement.ts';

const text = 'select 1;\n\nselect 2';

it.each<[what: string, from: number, to: number, chosen: string]>([
  ['the selection alone', 11, 19, 'select 2'],
  ['all where nothing is selected', 4, 4, text],
  ['all where only the space between is', 9, 11, text],
  ['all where all is', 0, text.length, text],
])('what is run is %s', (_what, selectionStart, selectionEnd, chosen) => {
  expect(chosenStatement(text, { selectionStart, selectionEnd })).toBe(chosen);
});
