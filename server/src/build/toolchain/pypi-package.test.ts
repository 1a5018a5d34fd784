import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../lib/exec.ts';
import { makeZip } from '../../source/archive/testing/make-zip.ts';
import { findPythons } from './host-python.ts';
import { installPypiPackage } from './pypi-package.ts';

const [python] = await findPythons(process.env['PATH']);
const hasPip = python !== undefined && (await asks(python.program));

async function asks(program: string): Promise<boolean> {
  const { exitCode } = await run([program, '-I', '-m', 'pip', '--version'], { cwd: '/', env: {}, timeoutMs: 60_000 });
  return exitCode === 0;
}

/** A folder that pip takes for its registry, and nothing else. */
function startRegistry() {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-pypi-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const registry = join(folder, 'registry');
  mkdirSync(registry);
  const options = {
    root: join(folder, 'toolchains'),
    python: python!,
    hostVariables: { PIP_NO_INDEX: '1', PIP_FIND_LINKS: registry, PIP_NO_CACHE_DIR: '1' },
    signal: new AbortController().signal,
  };
  return { folder, registry, install: () => installPypiPackage('pdm', options) };
}

it.runIf(hasPip)('runs no code of a package that comes as source: it is not taken at all', async () => {
  const { folder, registry, install } = startRegistry();
  const mark = join(folder, 'ran');
  const project = join(folder, 'pdm-1.0');
  mkdirSync(project);
  writeFileSync(join(project, 'PKG-INFO'), 'Metadata-Version: 2.1\nName: pdm\nVersion: 1.0\n');
  writeFileSync(
    join(project, 'pyproject.toml'),
    '[build-system]\nrequires = []\nbuild-backend = "mine"\nbackend-path = ["."]\n',
  );
  writeFileSync(join(project, 'mine.py'), `open(${JSON.stringify(mark)}, "w").close()\n`);
  await run(['/bin/tar', '-czf', join(registry, 'pdm-1.0.tar.gz'), '-C', folder, 'pdm-1.0'], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: 60_000,
  });
  await expect(install()).rejects.toThrow(/pdm cannot be installed/);
  expect(existsSync(mark)).toBe(false);
});

it.runIf(hasPip)('installs what comes built, and says which version it is', async () => {
  const { registry, install } = startRegistry();
  const info = 'pdm-2.5.dist-info';
  const wheel = makeZip([
    { name: 'pdm/__init__.py', content: '' },
    { name: `${info}/METADATA`, content: 'Metadata-Version: 2.1\nName: pdm\nVersion: 2.5\n' },
    {
      name: `${info}/WHEEL`,
      content: 'Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    },
    { name: `${info}/RECORD`, content: `pdm/__init__.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n` },
  ]);
  writeFileSync(join(registry, 'pdm-2.5-py3-none-any.whl'), wheel);
  expect(await install()).toMatchObject({ name: 'pdm', version: '2.5' });
});
