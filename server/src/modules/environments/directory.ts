import { invalid } from '../../lib/fault.ts';

/**
 * A folder of the source, relative and without dots: `./apps//web/` is `apps/web`. The source's own
 * root, which people write as `.`, is the empty text. What would lead out of it is refused.
 */
export function readDirectory(field: string, text: string): string {
  if (text.includes('\\')) throw invalid(`${field} must be written with forward slashes.`);
  if (text.startsWith('/'))
    throw invalid(`${field} must be relative to the root of the source: leave out the first /.`);
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw invalid(`${field} must stay inside the source: it may not hold "..".`);
  return parts.join('/');
}
