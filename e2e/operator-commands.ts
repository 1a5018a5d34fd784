import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { run } from '../server/src/lib/exec.ts';

const root = resolve(import.meta.dirname, '..');

/** The link npm makes, which is what people call. */
export const launcher = join(root, 'node_modules', '.bin', 'lilac');

export interface LilacOptions {
  home: string;
  environment?: Record<string, string>;
  input?: string;
}

export interface Finished {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command as a person would: the file itself, on whichever Node the system has. */
export async function runLilac(argv: readonly string[], { home, environment, input }: LilacOptions): Promise<Finished> {
  const env = { ...withoutLilac(process.env), PATH: systemPath(), LILAC_HOME: home, ...environment };
  const child = spawn(launcher, argv, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input ?? '');
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { exitCode, stdout, stderr };
}

/** For commands that must succeed: the JSON document they print. */
export async function lilacJson<T>(argv: readonly string[], options: LilacOptions): Promise<T> {
  const { exitCode, stdout, stderr } = await runLilac([...argv, '--json'], options);
  if (exitCode !== 0) throw new Error(`lilac ${argv.join(' ')} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** The version of the Node that the system has, `v20.20.2` say. */
export async function systemNodeVersion(): Promise<string> {
  const { stdout } = await run(['node', '--version'], { env: { PATH: systemPath() } });
  return stdout.trim();
}

/** npm puts the project's own Node first; outside of npm scripts people have another. */
function systemPath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.filter((folder) => !folder.includes('node_modules')).join(delimiter);
}

function withoutLilac(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith('LILAC_') && name !== 'NODE_OPTIONS'),
  );
}
