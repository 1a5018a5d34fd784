import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { programFolders, systemPaths } from './machine-files.ts';

it('programs that are not of the system are shown with what is installed beside them, and nothing else is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'real', 'bin'), { recursive: true });
  mkdirSync(join(folder, 'named', 'bin'), { recursive: true });
  const program = join(folder, 'real', 'bin', 'postgres');
  writeFileSync(program, '');
  chmodSync(program, 0o755);
  symlinkSync(program, join(folder, 'named', 'bin', 'postgres'));
  writeFileSync(join(folder, 'words'), '');
  const argv = ['/bin/sh', '-c', 'text', join(folder, 'named', 'bin', 'postgres'), '-D', join(folder, 'words'), '/no'];
  expect(programFolders(argv, ['/usr', '/bin'])).toEqual([join(folder, 'named'), join(folder, 'real')]);
  expect(programFolders(argv, ['/usr', '/bin', folder])).toEqual([]);
});

it('what the system has is all there', () => {
  expect(systemPaths()).toEqual(expect.arrayContaining(['/usr', '/etc/passwd']));
  expect(systemPaths()).not.toContain('/etc');
});
