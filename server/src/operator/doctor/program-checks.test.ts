import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { lookAtBubblewrap, lookAtProgram } from './program-checks.ts';

const folder = mkdtempSync(join(tmpdir(), 'lilac-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const host = { config: readConfig({ LILAC_HOME: folder }), environment: { PATH: folder } };

function install(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

describe('program checks', () => {
  it('warn with the command that installs what is missing', async () => {
    const finding = await lookAtProgram(host, { names: ['no-such-program'], missing: 'apt-get install it' });
    expect(finding).toEqual({ status: 'warn', found: 'not found', advice: 'apt-get install it' });
  });

  it('tell the version of what is there', async () => {
    install('some-program', 'echo some-program 1.2.3');
    const finding = await lookAtProgram(host, { names: ['other-name', 'some-program'], missing: '' });
    expect(finding).toMatchObject({ status: 'ok', found: `some-program 1.2.3 (${join(folder, 'some-program')})` });
  });

  it('warn when it is there but does not start', async () => {
    install('broken-program', 'echo cannot open shared object >&2; exit 127');
    const finding = await lookAtProgram(host, { names: ['broken-program'], missing: 'install it again' });
    expect(finding).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('cannot open shared object') as string,
    });
  });

  it('bubblewrap: warn when the host forbids what it needs', async () => {
    install('bwrap', '[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit; echo Operation not permitted >&2; exit 1');
    expect(await lookAtBubblewrap(host)).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('cannot start a sandbox: Operation not permitted') as string,
    });
  });
});
