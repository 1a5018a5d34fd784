import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GaveUp } from '../frame/gave-up.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { StoredPlatforms } from './stored-platforms.ts';

const first = 'https://one.example.org';
const second = 'http://localhost:7080';
const pair = { token: 'access', refreshToken: 'refresh' };

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('StoredPlatforms', () => {
  it('keeps a session for each platform, with all its fields, and knows where somebody signed in last', async () => {
    using folder = temporaryFolder();
    const platforms = new StoredPlatforms(folder.path);
    await platforms.signIn(first, pair);
    await platforms.signIn(second, { ...pair, token: 'other' });
    await platforms.session(first).write({ ...pair, refreshKey: 'key' });
    const again = new StoredPlatforms(folder.path);
    expect(await again.session(first).read()).toEqual({ ...pair, refreshKey: 'key' });
    expect(await again.session(second).read()).toEqual({ ...pair, token: 'other' });
    expect(again.last()).toBe(second);
  });

  it('answers to each of several logins at once the session that it replaced, so that none is left signed in', async () => {
    using folder = temporaryFolder();
    const pairs = ['a', 'b', 'c'].map((token) => ({ token, refreshToken: token }));
    const replaced = await Promise.all(pairs.map((each) => new StoredPlatforms(folder.path).signIn(first, each)));
    const kept = await new StoredPlatforms(folder.path).session(first).read();
    const tokens = [...replaced, kept].flatMap((each) => each?.token ?? []);
    expect(tokens.toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('is for its owner only, and leaves no drafts', async () => {
    using folder = temporaryFolder();
    const home = join(folder.path, 'lilac');
    await new StoredPlatforms(home).signIn(first, pair);
    expect(modeOf(home)).toBe(0o700);
    expect(modeOf(join(home, 'sessions'))).toBe(0o700);
    expect(readdirSync(join(home, 'sessions'))).toEqual(['https_one.example.org.json']);
    expect(modeOf(join(home, 'sessions', 'https_one.example.org.json'))).toBe(0o600);
  });

  it('forgets one platform and nothing of the others', async () => {
    using folder = temporaryFolder();
    const platforms = new StoredPlatforms(folder.path);
    await platforms.signIn(second, pair);
    await platforms.chooseOrganisation(second, 'org_2');
    await platforms.signIn(first, pair);
    await platforms.chooseOrganisation(first, 'org_1');
    await platforms.forget(first);
    expect([platforms.knows(first), platforms.organisation(first), platforms.last()]).toEqual([false, null, null]);
    expect([platforms.knows(second), platforms.organisation(second)]).toEqual([true, 'org_2']);
  });

  it('loses no choice when several are made at once', async () => {
    using folder = temporaryFolder();
    const urls = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.example.org`);
    await Promise.all(urls.map((url) => new StoredPlatforms(folder.path).chooseOrganisation(url, 'org_1')));
    expect(urls.map((url) => new StoredPlatforms(folder.path).organisation(url))).toEqual(urls.map(() => 'org_1'));
  });

  it('takes a broken file for none, and one of another platform too', async () => {
    using folder = temporaryFolder();
    const platforms = new StoredPlatforms(folder.path);
    await platforms.signIn(first, pair);
    const file = join(folder.path, 'sessions', 'https_one.example.org.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('one', 'two'));
    expect(platforms.knows(first)).toBe(false);
    writeFileSync(file, '{"apiUrl": "http');
    expect(platforms.knows(first)).toBe(false);
  });

  it('says what to set where nobody has a home', async () => {
    expect(new StoredPlatforms(null).last()).toBeNull();
    await expect(new StoredPlatforms(null).signIn(first, pair)).rejects.toThrow(GaveUp);
  });
});
