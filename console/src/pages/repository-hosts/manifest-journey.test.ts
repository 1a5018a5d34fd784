import { describe, expect, it } from 'vitest';
import { addressOfManifest, readArrival } from './manifest-journey.ts';

describe('who comes to the page of repository hosts', () => {
  it('has the token of the link, or half of the link', () => {
    expect(readArrival({ search: '', hash: '#token' })).toEqual({ kind: 'link', setupToken: 'token' });
    expect(readArrival({ search: '', hash: '' })).toEqual({ kind: 'incomplete' });
  });

  it('comes back from the host with a code, and with the state that the token is asked for by', () => {
    const search = '?code=c0de&state=abc';
    expect(readArrival({ search, hash: '' })).toEqual({ kind: 'returned', state: 'abc', code: 'c0de' });
    expect(readArrival({ search: '?code=c0de', hash: '' })).toEqual({ kind: 'foreign' });
  });

  it('has both after that, while the code is not used up', () => {
    const search = '?code=c0de&state=abc';
    expect(readArrival({ search, hash: '#token' })).toEqual({ kind: 'resumed', setupToken: 'token', code: 'c0de' });
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
});
