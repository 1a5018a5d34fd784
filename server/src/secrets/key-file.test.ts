import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start } from '../lib/exec.ts';
import { openKeyring } from './key-file.ts';
import type { SealedPlace } from './keyring.ts';
import { newStoredKey, readKeys, updateKeys } from './stored-keys.ts';

let home: string;
let path: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lilac-keys-'));
  path = join(home, 'secrets', 'keyring.json');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const place: SealedPlace = { table: 'users', row: 'usr_1', column: 'totp_secret' };

describe('sealing', () => {
  it('opens what it sealed, byte for byte', () => {
    const keyring = openKeyring(path);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(keyring.open(keyring.seal(text, place), place)).toBe(text);
      }),
    );
  });

  it('never gives the same text twice', () => {
    const keyring = openKeyring(path);
    expect(keyring.seal('same', place)).not.toBe(keyring.seal('same', place));
  });

  it('does not compile for a column that rotation does not know', () => {
    const keyring = openKeyring(path);
    // @ts-expect-error users.email is not among the sealed columns.
    expect(keyring.seal('x', { table: 'users', row: 'usr_1', column: 'email' })).toMatch(/^v1\./);
  });

  it('refuses a value that was moved to another row or column', () => {
    const keyring = openKeyring(path);
    const sealed = keyring.seal('secret', place);
    expect(() => keyring.open(sealed, { ...place, row: 'usr_2' })).toThrow('sealed for another place');
    expect(() => keyring.open(sealed, { table: 'platform_secrets', row: 'usr_1', column: 'sealed' })).toThrow(
      'sealed for another place',
    );
  });

  it('keeps places apart whose parts hold the separator', () => {
    const keyring = openKeyring(path);
    const sealed = keyring.seal('secret', { ...place, row: 'a:b' });
    expect(() => keyring.open(sealed, { ...place, row: 'a%3Ab' })).toThrow('sealed for another place');
  });

  it('refuses a value with any one character changed', () => {
    const keyring = openKeyring(path);
    const sealed = keyring.seal('a secret', place);
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
      expect(() => keyring.open(changed, place), `character ${at}`).toThrow(/at users:usr_1:totp_secret/);
    }
  });

  it('refuses the ciphertext of another value of the same place', () => {
    const keyring = openKeyring(path);
    const [one, two] = [keyring.seal('one', place).split('.'), keyring.seal('two', place).split('.')];
    expect(() => keyring.open([...one.slice(0, 3), two[3]].join('.'), place)).toThrow('does not open');
  });

  it('says so when the key of a value is not in the key file', () => {
    const sealed = openKeyring(path).seal('secret', place);
    const elsewhere = openKeyring(join(home, 'other.json'));
    expect(() => elsewhere.open(sealed, place)).toThrow('Put back the key file that belongs to this store');
  });
});

describe('the key file', () => {
  it('is created at first use, for its owner alone, and leaves no draft behind', () => {
    openKeyring(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, 'secrets')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(home, 'secrets'))).toEqual(['keyring.json']);
  });

  it('holds another key in every installation', () => {
    const keys = ['one', 'other', 'third'].flatMap((name) => {
      const file = join(home, name, 'keyring.json');
      openKeyring(file);
      return readKeys(file).keys;
    });
    expect(keys).toHaveLength(3);
    expect(new Set(keys.map(({ secret }) => secret)).size).toBe(3);
    expect(new Set(keys.map(({ id }) => id)).size).toBe(3);
    for (const { secret } of keys) expect(new Set(Buffer.from(secret, 'base64')).size).toBeGreaterThan(10);
  });

  it('is used again by the next process', () => {
    const sealed = openKeyring(path).seal('secret', place);
    expect(openKeyring(path).open(sealed, place)).toBe('secret');
  });

  it.each([0o640, 0o604, 0o620])('is refused when others may use it (%o)', (mode) => {
    openKeyring(path);
    chmodSync(path, mode);
    expect(() => openKeyring(path)).toThrow(`run "chmod 600 ${path}"`);
  });

  it.each(['', '{', '{}', 'null', '{"version":1,"current":"a","keys":[]}'])('is refused when it holds %j', (text) => {
    openKeyring(path);
    writeFileSync(path, text);
    expect(() => openKeyring(path)).toThrow('Restore it from a backup');
  });

  it('ends as one file when many processes create it at once', async () => {
    const sealed = await Promise.all(Array.from({ length: 6 }, () => sealInAnotherProcess()));
    const keyring = openKeyring(path);
    expect(sealed.map((value) => keyring.open(value, place))).toEqual(Array(6).fill('from afar'));
    expect(readdirSync(join(home, 'secrets'))).toEqual(['keyring.json']);
  });

  it('is read again when it changed, without a restart', async () => {
    const running = openKeyring(path);
    const before = running.seal('old', place);
    const key = newStoredKey(new Date());
    await updateKeys(path, (keys) => ({ ...keys, current: key.id, keys: [...keys.keys, key] }));
    expect(running.seal('new', place).split('.')[1]).toBe(key.id);
    expect(running.open(before, place)).toBe('old');
    expect(running.open(openKeyring(path).seal('new', place), place)).toBe('new');
  });

  it('is not replaced under a running process when somebody moves it away', () => {
    const keyring = openKeyring(path);
    const content = readFileSync(path, 'utf8');
    renameSync(path, `${path}.aside`);
    const sealed = keyring.seal('secret', place);
    expect(() => statSync(path)).toThrow('ENOENT');
    writeFileSync(path, content, { mode: 0o600 });
    expect(openKeyring(path).open(sealed, place)).toBe('secret');
  });
});

function sealInAnotherProcess(): Promise<string> {
  const program = `
    import { openKeyring } from ${JSON.stringify(join(import.meta.dirname, 'key-file.ts'))};
    process.stdout.write(openKeyring(${JSON.stringify(path)}).seal('from afar', ${JSON.stringify(place)}));`;
  const child = start([process.execPath, '--input-type=module-typescript', '-e', program], {
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return child
    .stdout!.setEncoding('utf8')
    .toArray()
    .then((chunks) => chunks.join(''));
}
