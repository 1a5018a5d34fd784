import type { IgnoreRules, SourceEntry } from './ignore-rules.ts';
import { holdsSecrets, nameOf } from './secret-files.ts';

/** What a build makes anew, what only this computer needs, and what no project is made of. */
const NEVER_SENT = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '.venv',
  '__pycache__',
  '.lilacignore',
  '.DS_Store',
  'Thumbs.db',
  '__MACOSX',
]);

/** What is `ignored` was written down by who made the project; a `secret` is always named to them. */
export type Verdict = 'wanted' | 'never' | 'ignored' | 'secret';

/** Whether something in a folder is sent, by its name. What is not `wanted` is not looked into. */
export function judgeEntry(entry: SourceEntry, rules: IgnoreRules): Verdict {
  // The one at the top says where this folder is deployed to, and nothing else.
  if (isNeverSent(nameOf(entry.path)) || entry.path === 'lilac.json') return 'never';
  if (rules.ignores(entry)) return 'ignored';
  return holdsSecrets(entry) && !rules.wantsExpressly(entry) ? 'secret' : 'wanted';
}

/** By the name of a file or a folder alone, wherever it lies. */
export function isNeverSent(name: string): boolean {
  return NEVER_SENT.has(name);
}
