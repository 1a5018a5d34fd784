import { describe, expect, it } from 'vitest';
import { addressOfManifest, beginJourney, endJourney, newState, readArrival } from './manifest-journey.ts';

function createStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

describe('who comes to the page of repository hosts', () => {
  it('has the token of the link, or half of the link', () => {
    expect(readArrival({ search: '', hash: '#token' }, createStorage())).toEqual({ kind: 'link', setupToken: 'token' });
    expect(readArrival({ search: '', hash: '' }, createStorage())).toEqual({ kind: 'incomplete' });
  });

  it('comes back from the host with a code, in the tab that went there', () => {
    const storage = createStorage();
    beginJourney(storage, { setupToken: 'token', state: 'abc' });
    const back = { search: '?code=c0de&state=abc', hash: '' };
    expect(readArrival(back, storage)).toEqual({ kind: 'returned', setupToken: 'token', code: 'c0de' });
    expect(readArrival({ ...back, search: '?code=c0de&state=other' }, storage)).toEqual({ kind: 'foreign' });
    expect(readArrival({ ...back, search: '?code=c0de' }, storage)).toEqual({ kind: 'foreign' });
    endJourney(storage);
    expect(readArrival(back, storage), 'once').toEqual({ kind: 'foreign' });
  });
});

describe('where the manifest is posted to', () => {
  const host = { hostUrl: 'https://host.test', manifestUrl: 'https://host.test/settings/apps/new' };

  it('is a page of the person, or of an organisation they name, with the state', () => {
    expect(addressOfManifest({ ...host, account: '', state: 's' })).toBe('https://host.test/settings/apps/new?state=s');
    expect(addressOfManifest({ ...host, account: 'a/../b', state: 's' })).toBe(
      'https://host.test/organizations/a%2F..%2Fb/settings/apps/new?state=s',
    );
  });

  it('has another state each time', () => {
    expect(newState()).toMatch(/^[0-9a-f]{32}$/);
    expect(newState()).not.toBe(newState());
  });
});
