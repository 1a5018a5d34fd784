import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pathsOf, readConfig } from '../../config.ts';
import { foreignFolder } from '../../testing/foreign-folder.ts';
import type { CheckedHost } from './check.ts';
import { judgeDisk, lookAtFolder, lookAtKeyFile } from './home-checks.ts';

const GIBIBYTE = 1024 ** 3;
let folder: string;
let host: CheckedHost;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lilac-doctor-'));
  host = hostAt(join(folder, 'home'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function hostAt(home: string): CheckedHost {
  return { config: readConfig({ LILAC_HOME: home }), environment: {} };
}

function makeHome(mode: number): void {
  mkdirSync(host.config.home);
  chmodSync(host.config.home, mode);
}

function writeKeyFile(mode: number): string {
  const path = pathsOf(host.config).keyring;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '{}');
  chmodSync(path, mode);
  return path;
}

describe('home.folder', () => {
  it('is fine before the first start, and when it is shut to others', () => {
    expect(lookAtFolder(host).status).toBe('ok');
    makeHome(0o700);
    expect(lookAtFolder(host)).toMatchObject({ status: 'ok', found: expect.stringContaining('mode 0700') as string });
  });

  it('fails when others may enter, and says how to shut it', () => {
    makeHome(0o755);
    expect(lookAtFolder(host)).toMatchObject({
      status: 'fail',
      advice: expect.stringContaining('chmod 700') as string,
    });
  });

  it("fails when it is another user's or no folder", () => {
    expect(lookAtFolder(hostAt(foreignFolder(folder)))).toMatchObject({
      status: 'fail',
      advice: expect.stringMatching(/as uid \d+/) as string,
    });
    writeFileSync(host.config.home, '');
    expect(lookAtFolder(host)).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('not a folder') as string,
    });
  });
});

describe('home.key-file', () => {
  it('fails when others may read it', () => {
    writeKeyFile(0o640);
    expect(lookAtKeyFile(host)).toMatchObject({
      status: 'fail',
      advice: expect.stringContaining('chmod 600') as string,
    });
    writeKeyFile(0o600);
    expect(lookAtKeyFile(host).status).toBe('ok');
  });

  it('may be missing before the first start, but not beside a store', () => {
    expect(lookAtKeyFile(host).status).toBe('ok');
    mkdirSync(pathsOf(host.config).storeSocket, { recursive: true });
    expect(lookAtKeyFile(host)).toMatchObject({
      status: 'fail',
      advice: expect.stringContaining('Put the key file back') as string,
    });
  });
});

describe('home.disk', () => {
  it.each([
    [0.1, 'fail'],
    [2, 'warn'],
    [50, 'ok'],
  ])('with %d GiB free: %s', (free, status) => {
    expect(judgeDisk(free * GIBIBYTE).status).toBe(status);
  });
});
