import { posix } from 'node:path';
import { BuildFailed } from '../builder.ts';
import { readIgnorePattern, type IgnorePattern } from './ignore-pattern.ts';

/** What stays out of the context of a build. */
export interface Ignored {
  has(path: string): boolean;
  /** Something may be taken although the folder that it is in is left out. */
  hasExceptions: boolean;
}

/** Every file is compared with every line. */
const MAX_RULES = 1000;
/** Of lines with a `*`, together: one path of a file costs at most this many times its own letters. */
const MAX_VARIABLE_CHARACTERS = 10_000;

interface Rule {
  isException: boolean;
  isMeant: IgnorePattern;
  variableCharacters: number;
}

/** As engines read `.dockerignore`; the last line that means a path decides. Throws `BuildFailed`. */
export function readDockerignore(text: string): Ignored {
  const rules = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line, index) => readRule(line, index + 1) ?? []);
  if (rules.length > MAX_RULES) {
    throw new BuildFailed(`The .dockerignore has more than ${MAX_RULES} patterns. Leave out whole folders instead.`);
  }
  if (rules.reduce((sum, { variableCharacters }) => sum + variableCharacters, 0) > MAX_VARIABLE_CHARACTERS) {
    throw new BuildFailed(
      `The patterns with a * in the .dockerignore have more than ${MAX_VARIABLE_CHARACTERS} characters together. ` +
        'Leave out whole folders instead.',
    );
  }
  return {
    has: (path) => rules.findLast(({ isMeant }) => isMeant(path))?.isException === false,
    hasExceptions: rules.some(({ isException }) => isException),
  };
}

function readRule(text: string, line: number): Rule | null {
  const whole = text.trim();
  if (whole === '' || text.startsWith('#')) return null;
  const isException = whole.startsWith('!');
  const pattern = clean(isException ? whole.slice(1).trim() : whole);
  if (pattern === '') return null;
  const isMeant = readIgnorePattern(pattern);
  if (isMeant) return { isException, isMeant, variableCharacters: pattern.includes('*') ? pattern.length : 0 };
  throw new BuildFailed(
    `Line ${line} of the .dockerignore is no pattern: “${whole.slice(0, 100)}”. A [ must have its ].`,
  );
}

function clean(pattern: string): string {
  if (pattern === '') return '';
  const plain = posix.normalize(pattern).replace(/(?<=.)\/$/, '');
  return plain.length > 1 && plain.startsWith('/') ? plain.slice(1) : plain;
}
