import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../../lib/exec.ts';
import { BuildFailed } from '../builder.ts';
import { keepTool } from './kept-tool.ts';
import { toolIn, type HostTool, type Tool } from './tool.ts';

/** Package managers of Python that are packages of Python. */
export const pythonManagers = ['uv', 'poetry', 'pdm', 'pipenv'] as const;
export type PythonManager = (typeof pythonManagers)[number];

export interface PypiOptions {
  /** The folder of the toolchains. */
  root: string;
  /** What installs it, and what it will run on. */
  python: HostTool;
  hostVariables: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

const INSTALL_MS = 10 * 60 * 1000;

/** Installed apart from the project's own packages. What it is written in C fits one version of Python only. */
export async function installPypiPackage(name: PythonManager, options: PypiOptions): Promise<Tool> {
  const minor = options.python.version.split('.').slice(0, 2).join('.');
  const folder = join(options.root, `pypi+${name}+${minor}`);
  const install = (draft: string) => installInto(draft, name, options);
  const path = await keepTool({ folder, version: 'latest', signal: options.signal, install });
  return toolIn(path, { name, title: name, version: path.slice(folder.length + 1), programs: 'programs' });
}

async function installInto(draft: string, name: PythonManager, options: PypiOptions): Promise<string> {
  const { python, hostVariables, signal } = options;
  const packages = join(draft, 'packages');
  // What comes as source would be built by code of its own, here, outside of every sandbox.
  const flags = ['--quiet', '--no-input', '--disable-pip-version-check', '--only-binary=:all:'];
  const words = ['install', ...flags, '--target', packages, '--', name];
  const { exitCode, stderr } = await run([python.program, '-I', '-m', 'pip', ...words], {
    cwd: draft,
    env: { ...hostVariables, PATH: `${dirname(python.program)}:/usr/bin:/bin`, HOME: homedir() },
    timeoutMs: INSTALL_MS,
    signal,
  });
  if (/No module named pip/.test(stderr)) {
    throw new BuildFailed(
      `The Python of this machine has no pip. Its operator installs it with: apt-get install python3-pip.`,
    );
  }
  if (exitCode !== 0) throw new Error(`${name} cannot be installed: ${stderr.trim().slice(-1000)}`);
  await writeProgram(draft, name);
  return versionOf(packages, name);
}

/** Without PYTHONPATH, which would reach the project's own programs too. */
const RUN =
  'import sys, runpy; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)';

async function writeProgram(draft: string, name: PythonManager): Promise<void> {
  const folder = join(draft, 'programs');
  await mkdir(folder);
  const at = '"${0%/*}/../packages"';
  const script =
    name === 'uv' ? `exec ${at}/bin/uv "$@"` : `exec "\${LILAC_PYTHON:-python3}" -c '${RUN}' ${at} ${name} "$@"`;
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

async function versionOf(packages: string, name: string): Promise<string> {
  const pattern = new RegExp(`^${name}-(.+)\\.dist-info$`);
  const found = (await readdir(packages)).map((entry) => pattern.exec(entry)?.[1]).find(Boolean);
  if (!found) throw new Error(`${name} was installed, and no version of it is there`);
  return found;
}
