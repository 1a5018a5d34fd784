import { readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { compare, satisfies, validRange } from 'semver';
import { run } from '../../lib/exec.ts';
import { BuildFailed } from '../builder.ts';
import { remembered } from './remembered.ts';
import type { HostTool } from './tool.ts';

const ASK_MS = 20_000;
const REMEMBERED_MS = 5 * 60_000;
const SCRIPT =
  'import sys, os; print("%d.%d.%d" % sys.version_info[:3]); print(sys.base_prefix); ' +
  'print(os.path.realpath(os.path.join(sys.base_prefix, "bin", "python%d.%d" % sys.version_info[:2])))';

/** The Pythons of this machine; the first is the one that `python3` is. */
export const findPythons = remembered(REMEMBERED_MS, async (path: string | undefined): Promise<HostTool[]> => {
  const asked = await Promise.all(candidates(path).map(askPython));
  const byProgram = new Map(asked.flatMap((tool) => (tool ? [[tool.program, tool] as const] : [])));
  return [...byProgram.values()];
});

function candidates(path: string | undefined): string[] {
  const folders = (path ?? '/usr/local/bin:/usr/bin:/bin').split(':').filter(Boolean);
  const versions = [join(homedir(), '.pyenv/versions'), join(homedir(), '.local/share/uv/python')];
  const managed = versions.flatMap((root) => namesIn(root).map((name) => join(root, name, 'bin/python3')));
  const named = folders.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => (isShims(folder) ? name === 'python3' : /^python3(\.\d+)?$/.test(name)))
      .toSorted((a, b) => a.length - b.length)
      .map((name) => join(folder, name)),
  );
  return [...new Set([...named, ...managed])];
}

/** What is behind them is found among the managed ones; they only tell which is the default, and take their time. */
const isShims = (folder: string): boolean => folder.endsWith('/shims');

/** A shim of a version manager that has no such version answers with an error, and is passed over. */
async function askPython(program: string): Promise<HostTool | null> {
  try {
    const env = { PATH: `${dirname(program)}:/usr/local/bin:/usr/bin:/bin`, HOME: homedir() };
    const { exitCode, stdout } = await run([program, '-I', '-c', SCRIPT], { cwd: '/', env, timeoutMs: ASK_MS });
    const [version, prefix, real] = stdout.trim().split('\n');
    if (exitCode !== 0 || !version || !prefix || !real) return null;
    return { name: 'python', title: 'Python', version, program: realpathSync(real), folders: [realpathSync(prefix)] };
  } catch {
    return null;
  }
}

/**
 * What a project asks for: a range as `requires-python` has it, or a version. The machine's own where it fits, else
 * the newest that does. An exact version will do with another patch.
 */
export function choosePython(pythons: readonly HostTool[], wanted: string | null): HostTool {
  const range = wanted && toRange(wanted);
  const fitting = range ? pythons.filter(({ version }) => satisfies(version, range)) : pythons;
  const [own] = pythons;
  if (own && fitting.includes(own)) return own;
  const newest = fitting.toSorted((a, b) => compare(b.version, a.version))[0];
  if (newest) return newest;
  const there = pythons.map(({ version }) => version).join(', ');
  throw new BuildFailed(
    `This project asks for Python ${wanted}, and this machine has ${there || 'no Python'}. ` +
      'Let it ask for one of these, or ask the operator to install it.',
  );
}

/** Ranges are compared part by part: nobody means a longer one. */
const MAX_CHARACTERS = 200;

/** Python writes `>=3.10,<4`, `~=3.11`, `==3.12.*`, `3.11.7`; null where it says nothing. */
export function toRange(wanted: string): string | null {
  if (wanted.length > MAX_CHARACTERS) return null;
  const parts = wanted.split(',').map((part) => part.trim().replaceAll(/\s+/g, ''));
  const ranges = parts.filter((part) => part && !part.startsWith('!=')).map(toPart);
  return validRange(ranges.join(' ')) && ranges.length > 0 ? ranges.join(' ') : null;
}

function toPart(part: string): string {
  const [, operator = '', version = ''] = part.match(/^([<>=~^]*)(.*)$/) ?? [];
  const numbers = version.replace(/^python-?/, '').split('.');
  if (operator === '~=')
    return `>=${numbers.join('.')} <${numbers.length > 2 ? `${numbers[0]}.${Number(numbers[1]) + 1}` : Number(numbers[0]) + 1}`;
  if (operator === '' || operator === '==' || operator === '===')
    return numbers.slice(0, 2).join('.').replace('*', 'x');
  return operator + numbers.join('.');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
