import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../server/src/lib/exec.ts';

const root = join(import.meta.dirname, '..');

/** The version before this one: its hosts run on while those of this one are started. A release puts itself here. */
const PREVIOUS = '51ff92440a97f16a62e8c145b3ca7f1e05319644';
const options = { cwd: root, env: process.env };
/** What a server runs on. */
const PARTS = ['package.json', 'server', 'contract', 'sdk', 'mcp', 'cli', 'deploy'];

/**
 * Says why not, so that nobody takes what was skipped for what was tested. Where the whole history is, the version
 * before is in it: to be without it there is a mistake.
 */
export async function hasPrevious(): Promise<boolean> {
  const { exitCode } = await run(['git', 'cat-file', '-e', `${PREVIOUS}^{commit}`], options);
  if (exitCode === 0) return true;
  if (!(await isCutOff())) throw new Error(`The version before, ${PREVIOUS}, is not in the history.`);
  console.log('Skipped: the version before is not in a clone without its history; fetch it whole.');
  return false;
}

/**
 * The program of the version before, whole, in a folder of its own; only the packages of others are those of this one.
 */
export async function unpackPrevious(folder: string): Promise<string> {
  const archive = join(folder, 'previous.tar');
  const program = join(folder, 'previous');
  mkdirSync(program);
  await mustSucceed(['git', 'archive', '--format=tar', `--output=${archive}`, PREVIOUS, '--', ...PARTS]);
  await mustSucceed(['tar', '--extract', `--file=${archive}`, `--directory=${program}`]);
  linkPackages(program);
  return program;
}

/** This is a shallow clone, or no clone at all. */
async function isCutOff(): Promise<boolean> {
  const { exitCode, stdout } = await run(['git', 'rev-parse', '--is-shallow-repository'], options);
  return exitCode !== 0 || stdout.trim() === 'true';
}

/** Its own packages name one another, and must not find those of this version. */
function linkPackages(program: string): void {
  const [theirs, packages] = [join(root, 'node_modules'), join(program, 'node_modules')];
  mkdirSync(join(packages, '@lilac'), { recursive: true });
  for (const name of readdirSync(theirs)) {
    if (name !== '@lilac') symlinkSync(join(theirs, name), join(packages, name));
  }
  for (const name of ['server', 'contract', 'sdk', 'mcp', 'cli']) {
    symlinkSync(join(program, name), join(packages, '@lilac', name));
  }
}

async function mustSucceed(argv: [string, ...string[]]): Promise<void> {
  const { exitCode, stderr } = await run(argv, options);
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`);
}
