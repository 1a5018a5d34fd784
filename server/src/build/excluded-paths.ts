import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutEndingSlashes } from './detect/parse/lines.ts';
import { realPathInside } from './inside.ts';
import type { Plan } from './plan.ts';

/** What no instance needs, wherever in the tree it lies. */
const ALWAYS = ['.git', 'node_modules/.cache', 'node_modules/.vite', '.next/cache', '.angular/cache', '.gradle'];
/** Of what a compiler leaves beside the program. */
const OF_RUST = ['deps', 'build', 'incremental', 'examples', '.fingerprint'].map((name) => `target/release/${name}`);
/** Not `.lilacignore`, which says what a computer sends: build output may stand there, and is needed here. */
const IGNORE_FILE = '.slugignore';
const MAX_PATTERNS = 1000;
const MAX_BYTES = 128 * 1024;

/** As tar takes them: what is not packed of a built tree. */
export async function excludedPaths(
  source: string,
  { language, rootDirectory }: Pick<Plan, 'language' | 'rootDirectory'>,
): Promise<string[]> {
  const below = (path: string) => `.${join('/', rootDirectory, path)}`;
  const ofRust = language === 'rust' ? [...OF_RUST, 'target/debug'].map(below) : [];
  const text = await readInside(source, join(rootDirectory, IGNORE_FILE));
  const own = parseIgnored(text).map((line) => (line.includes('/') ? below(line) : line));
  return [...ALWAYS, ...ofRust, ...own];
}

/** A pattern a line; those with a slash are meant from the root of the project on, as in git's own. */
function parseIgnored(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  const patterns = lines.filter((line) => line !== '' && !/^[#!]/.test(line)).map(withoutEndingSlashes);
  return patterns.filter((line) => line !== '' && line !== '.').slice(0, MAX_PATTERNS);
}

/** What stands in its beginning, where it is a long one. */
async function readInside(source: string, path: string): Promise<string> {
  const real = realPathInside(source, path);
  return real === null ? '' : readBeginning(real).catch(() => '');
}

async function readBeginning(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
  return buffer.toString('utf8', 0, bytesRead);
}
