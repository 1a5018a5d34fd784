import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BuildFailed } from '../builder.ts';
import { findHostTool, requireHostTool } from './host-tools.ts';
import { toolOfHost } from './tool.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'lilac-host-tools-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that answers what it is asked, linked to from a folder of programs. */
function install(name: string, script: string): string {
  const programs = join(folder, 'prefix/bin');
  mkdirSync(programs, { recursive: true });
  mkdirSync(join(folder, 'path'), { recursive: true });
  writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(programs, name), 0o755);
  symlinkSync(join(programs, name), join(folder, 'path', name));
  return join(folder, 'path');
}

describe('a tool of this machine', () => {
  it('is found behind its link, with the folder it needs', async () => {
    const path = install('bundle', 'echo Bundler version 2.6.1');
    const found = await findHostTool('bundler', path);
    expect(found).toMatchObject({ title: 'Bundler', version: '2.6.1', program: join(folder, 'prefix/bin/bundle') });
    expect(toolOfHost(found!)).toMatchObject({
      mounts: [{ from: join(folder, 'prefix'), at: join(folder, 'prefix'), isWritable: false }],
      searchPath: [join(folder, 'prefix/bin')],
    });
  });

  it('is found behind a shim that chooses by where it is called', async () => {
    mkdirSync(join(folder, 'versions/3.4/bin'), { recursive: true });
    writeFileSync(join(folder, 'versions/3.4/bin/ruby'), '');
    const path = install('ruby', `case $1 in -e) echo ${folder}/versions/3.4/bin/ruby ;; *) echo ruby 3.4.1 ;; esac`);
    const found = await findHostTool('ruby', path);
    expect(found).toMatchObject({
      program: join(folder, 'versions/3.4/bin/ruby'),
      folders: [join(folder, 'versions/3.4')],
    });
  });

  it('that does not work is not there', async () => {
    expect(await findHostTool('bundler', install('bundle', 'exit 1'))).toBeNull();
  });

  it('that is missing is named, with what its operator installs', async () => {
    await expect(requireHostTool('composer', folder)).rejects.toThrow(BuildFailed);
    await expect(requireHostTool('composer', folder)).rejects.toThrow(/needs Composer, .* apt-get install composer\./);
  });
});
