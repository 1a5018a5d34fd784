import { describe, expect, it } from 'vitest';
import type { Caller } from './handler.ts';
import { OpenStreams } from './open-streams.ts';

const limits = { perCaller: 2, perAddress: 3, perOrganisation: 4, total: 5 };
const user = (userId: string): Caller => ({ kind: 'session', userId, sessionId: `ses_${userId}` });
const from = (caller: Caller | null, address: string, organisationId: string | null = null) => ({
  caller,
  address,
  organisationId,
});

describe('OpenStreams', () => {
  it('counts by caller, whatever the address, and by address, whoever calls', () => {
    const streams = new OpenStreams(limits);
    const first = streams.take(from(user('a'), '192.0.2.1'));
    streams.take(from({ kind: 'session', userId: 'a', sessionId: 'another' }, '192.0.2.2'));
    expect(() => streams.take(from(user('a'), '192.0.2.3'))).toThrow('You have 2 streams open');
    streams.take(from(user('b'), '192.0.2.1'));
    streams.take(from({ kind: 'key', keyId: 'a' }, '192.0.2.1'));
    expect(() => streams.take(from(null, '192.0.2.1'))).toThrow('Your address has 3 streams open');
    first.leave();
    streams.take(from(user('a'), '192.0.2.1'));
  });

  it('takes the addresses of one customer for one', () => {
    const streams = new OpenStreams(limits);
    for (const end of ['1', '2', '3']) streams.take(from(null, `2001:db8::${end}`));
    expect(() => streams.take(from(null, '2001:db8::4'))).toThrow('Your address has 3 streams open');
  });

  it('leaves room for other organisations, however many keys and addresses one has', () => {
    const streams = new OpenStreams(limits);
    const take = (index: number, organisationId: string) =>
      streams.take(from({ kind: 'key', keyId: `key_${index}` }, `192.0.2.${index}`, organisationId));
    const [first] = [1, 2, 3, 4].map((index) => take(index, 'org_a'));
    expect(() => take(5, 'org_a')).toThrow('Your organisation has 4 streams open');
    take(6, 'org_b').leave();
    first!.leave();
    take(7, 'org_a');
  });

  it('has room for so many in all', () => {
    const streams = new OpenStreams(limits);
    const places = Array.from({ length: 5 }, (_, index) => streams.take(from(null, `192.0.2.${index}`)));
    expect(() => streams.take(from(null, '192.0.2.9'))).toThrow('As many streams are open as this platform can hold.');
    places[0]!.leave();
    streams.take(from(null, '192.0.2.9'));
  });

  it('counts nobody twice who leaves twice', () => {
    const streams = new OpenStreams(limits);
    const place = streams.take(from(user('a'), '192.0.2.1'));
    streams.take(from(user('a'), '192.0.2.1'));
    place.leave();
    place.leave();
    expect(streams.size).toBe(1);
    streams.take(from(user('a'), '192.0.2.1'));
    expect(() => streams.take(from(user('a'), '192.0.2.1'))).toThrow('You have 2 streams open');
  });

  it('ends all of them, also one that comes while it closes, and breaks off whom that does not end', async () => {
    const streams = new OpenStreams(limits);
    const ended: string[] = [];
    const early = streams.take(from(null, '192.0.2.1'));
    const late = streams.take(from(null, '192.0.2.2'));
    await new Promise<void>((resolve) => {
      early.occupy(() => ended.push('early'), resolve);
      streams.endAll();
      late.occupy(
        () => ended.push('late'),
        () => {},
      );
    });
    late.leave();
    early.leave();
    expect([ended, streams.size]).toEqual([['early', 'late'], 0]);
  });
});
