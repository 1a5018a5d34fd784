import { describe, expect, it } from 'vitest';
import { unlockMac } from '../../routing/unlock-mac.ts';
import { isOpenedBy } from './unlock-cookie.ts';

const route = { environmentId: 'env_1', lock: { key: Buffer.alloc(32, 7).toString('base64url') } };
const now = new Date('2030-01-01T00:00:00Z');
const seconds = now.getTime() / 1000;

function valueOf({ environmentId = 'env_1', key = route.lock.key, expiry = seconds + 60 } = {}): string {
  return `${expiry}.${unlockMac({ key }, environmentId, expiry)}`;
}

const opens = (cookies: string) => isOpenedBy(cookies, route, now);

describe('a locked address', () => {
  it.each([
    ['alone', (value: string) => `lilac_unlock=${value}`],
    ['among others', (value: string) => `a=b; lilac_unlock=${value}; c="d"`],
    ['after one that does not count', (value: string) => `lilac_unlock=1.x; lilac_unlock=${value}`],
    ['without blanks', (value: string) => `a=b;lilac_unlock=${value}`],
  ])('is opened by the cookie of its key: %s', (_how, cookiesOf) => {
    expect(opens(cookiesOf(valueOf()))).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['another cookie', 'session=1'],
    ['no value', 'lilac_unlock='],
    ['a value of no form', 'lilac_unlock=open'],
    ['a cookie of a longer name', `my_lilac_unlock=${valueOf()}`],
    ['one that is over', `lilac_unlock=${valueOf({ expiry: seconds })}`],
    ['one of another environment', `lilac_unlock=${valueOf({ environmentId: 'env_2' })}`],
    ['one of an earlier password', `lilac_unlock=${valueOf({ key: Buffer.alloc(32, 8).toString('base64url') })}`],
    ['one whose end was moved', `lilac_unlock=${seconds + 9999}.${valueOf().split('.')[1]}`],
    ['one with a letter too many', `lilac_unlock=${valueOf()}A`],
    ['one with a letter too few', `lilac_unlock=${valueOf().slice(0, -1)}`],
    ['one that comes after too many others', `${'lilac_unlock=1.x; '.repeat(4)}lilac_unlock=${valueOf()}`],
  ])('stays shut for %s', (_what, cookies) => {
    expect(opens(cookies)).toBe(false);
  });
});
