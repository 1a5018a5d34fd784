import { readFile, stat } from 'node:fs/promises';
import { createBreather } from '../lib/breather.ts';
import { hashOutput, type HashedFile, type SizeLimits } from './hash-output.ts';
import { PackRefused } from './pack-refused.ts';
import { parseHeaders } from './parse-headers.ts';
import { parseRedirects } from './parse-redirects.ts';
import type { ParsedRules } from './rule-lines.ts';
import type { HeaderRule, RedirectRule } from './static-manifest.ts';
import { walkOutput, type OutputFile } from './walk-output.ts';

export interface PackLimits extends SizeLimits {
  maxFiles: number;
}

export interface Output {
  files: HashedFile[];
  redirects: RedirectRule[];
  headers: HeaderRule[];
}

export interface ReadOutputOptions {
  folder: string;
  /** For copies of files that cannot be taken as they are. */
  staging: string;
  limits: PackLimits;
  signal: AbortSignal;
  onLine: (line: string) => void;
}

const RULE_FILES = ['/_redirects', '/_headers'];
/** Rules are read whole; a larger file is surely something else. */
const MAX_RULES_BYTES = 1024 * 1024;

/** Looks through the built site: what is served, each file hashed, and by which rules. Throws `PackRefused`. */
export async function readOutput({ folder, staging, limits, signal, onLine }: ReadOutputOptions): Promise<Output> {
  const breathe = createBreather(signal);
  const found = await walkOutput({ folder, maxFiles: limits.maxFiles, breathe });
  const served = found.filter(({ path }) => !RULE_FILES.includes(path));
  assertSomething(served);
  if (!served.some(({ path }) => path === '/index.html')) {
    onLine('There is no index.html in the output: the address itself will answer 404.');
  }
  return {
    redirects: await readRules({ found, path: '/_redirects', parse: parseRedirects, onLine }),
    headers: await readRules({ found, path: '/_headers', parse: parseHeaders, onLine }),
    files: await hashOutput(served, { ...limits, staging, breathe, signal }),
  };
}

function assertSomething(served: readonly OutputFile[]): void {
  if (served.length > 0) return;
  throw new PackRefused(
    'The output folder holds no file to serve. Check the output directory in the settings, and that the build writes there.',
  );
}

interface RulesToRead<Rule> {
  found: readonly OutputFile[];
  path: string;
  parse: (text: string) => ParsedRules<Rule>;
  onLine: (line: string) => void;
}

/** A line that cannot be used is told and left out: the rest of the site is good. */
async function readRules<Rule>({ found, path, parse, onLine }: RulesToRead<Rule>): Promise<Rule[]> {
  const file = found.find((candidate) => candidate.path === path);
  if (!file) return [];
  const name = path.slice(1);
  if ((await stat(file.source)).size > MAX_RULES_BYTES) {
    onLine(`${name} is larger than a mebibyte and was left out.`);
    return [];
  }
  const { rules, problems } = parse(await readFile(file.source, 'utf8'));
  for (const { line, reason } of problems.slice(0, 50)) onLine(`${name}, line ${line}, was left out: ${reason}`);
  if (problems.length > 50) onLine(`${name}: ${problems.length - 50} more lines were left out.`);
  return rules;
}
