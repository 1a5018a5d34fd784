import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppsFileError, readAppsFile } from './apps-file.ts';
import { appSettings, oauthSettings } from './testing/app-settings.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lilac-vcs-'));
  path = join(folder, 'hosts.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(content: unknown, mode = 0o600): void {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(path, mode);
}

function whyNot(): string {
  try {
    readAppsFile(path);
  } catch (error) {
    if (error instanceof AppsFileError) return error.message;
    throw error;
  }
  throw new Error('It was taken.');
}

describe("the operator's file", () => {
  it('names the hosts it wants to, and may be shared with a group', () => {
    write({ provider1: appSettings, provider3: oauthSettings }, 0o440);
    expect(readAppsFile(path)).toEqual({ provider1: appSettings, provider3: oauthSettings });
  });

  it.each([0o604, 0o602, 0o644])('is refused when everybody may use it (%o)', (mode) => {
    write({ provider3: oauthSettings }, mode);
    expect(whyNot()).toContain(`chmod o= ${path}`);
  });

  it('is refused when it is not there, no file, no JSON or names something else', () => {
    expect(whyNot()).toContain('ENOENT');
    write('{"provider3": {"clientSecret": "s3cret" "');
    expect(whyNot()).toMatch(/it is not JSON\.$/);
    write([]);
    expect(whyNot()).toContain('one JSON object');
    write({ github: {} });
    expect(whyNot()).toContain('it names github');
    path = folder;
    expect(() => readAppsFile(path)).toThrow(AppsFileError);
  });

  it('is refused with half a set, and says whose, never what it holds', () => {
    write({ provider2: oauthSettings, provider1: { ...appSettings, privateKey: 'no key', slug: undefined } });
    const message = whyNot();
    expect(message).toContain('The settings of provider1 are incomplete: slug is missing');
    expect(message).not.toContain(appSettings.clientSecret);
  });
});
