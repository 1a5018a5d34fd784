import { z } from 'zod';
import { fitting } from './shorten.ts';

/** As long as the names of an answer may be altogether. */
const MAX_LENGTH = 6000;

/** Beside a list of names. */
export const namesLeftOut = {
  names_left_out: z.int().describe('Names not shown; list_environment_variables takes a filter.'),
};

export function someNames(all: readonly string[]): { names: string[]; names_left_out: number } {
  const names = fitting(all, MAX_LENGTH);
  return { names, names_left_out: all.length - names.length };
}
