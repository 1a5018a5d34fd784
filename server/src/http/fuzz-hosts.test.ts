import { gitProviders, type GitProvider } from '@lilac/contract/states';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callbacks } from '../modules/vcs/testing/link-bench.ts';
import { headerText, nearly, openDoors, type Doors } from '../testing/fuzz-doors.ts';
import { assertFuzzed, fuzzRuns } from '../testing/fuzz-settings.ts';
import { asJson, wildText } from '../testing/fuzz-values.ts';

/** Where repository hosts send people and news to, and where anybody may say to be one of them. */
let doors: Doors;
beforeAll(async () => {
  doors = await openDoors();
});
afterAll(() => doors?.[Symbol.asyncDispose]());

describe.each(gitProviders)('%s', (provider: GitProvider) => {
  it('sends people back with any query and cookie', async () => {
    const people = doors.bench.hosts[provider].people;
    people.add('ada', { administers: ['acme'] });
    const installation =
      provider === 'provider1' ? String(doors.bench.hosts.provider1.addInstallation('acme').id) : '1';
    const kinds = new Set<number>();
    const begun = await doors.bench.begin(provider);
    const queries = fc.record(
      {
        state: nearly(fc.constant(BEGUN)),
        code: nearly(fc.constant(CODE)),
        installation_id: nearly(fc.constant(installation)),
        setup_action: nearly(fc.constantFrom('install', 'request', 'update')),
        error: nearly(fc.constant('access_denied')),
      },
      { requiredKeys: [] },
    );
    const cookies = fc.option(nearly(fc.constant(begun.cookie)).map(inCookie), { nil: undefined });
    await assertFuzzed(
      fc.asyncProperty(queries, cookies, async (query, cookie) => {
        const { state } = await doors.bench.begin(provider);
        const pairs = Object.entries(query).map(([name, value]) => {
          const text = (typeof value === 'string' ? value : asJson(value)).toWellFormed().slice(0, 5000);
          return [name, text.replace(BEGUN, state).replace(CODE, () => people.codeFor('ada'))];
        });
        const path = `${callbacks[provider]}?${new URLSearchParams(pairs)}`;
        const answer = await doors.send(path, { method: 'GET', ...(cookie !== undefined && { headers: { cookie } }) });
        doors.expectNoFault(answer);
        kinds.add(answer.status);
      }),
      fuzzRuns(60, 0.05),
    );
    expect(kinds.size).toBeGreaterThan(1);
  });

  it('is not believed, whatever somebody else sends in its name', async () => {
    expect.hasAssertions();
    const path = {
      provider1: '/api/vcs-app/webhook',
      provider2: '/api/provider2/webhook',
      provider3: '/api/provider3/webhook',
    }[provider];
    const names = fc.constantFrom(
      'x-github-event',
      'x-hub-signature-256',
      'x-github-delivery',
      'x-gitlab-event',
      'x-gitlab-token',
      'x-event-key',
      'x-hub-signature',
      'x-hook-uuid',
      'content-type',
      'content-encoding',
      'transfer-encoding',
      'expect',
    );
    const values = fc.oneof(
      headerText,
      fc.constantFrom(`sha256=${'0'.repeat(64)}`, 'sha256=', 'push', 'application/json', 'gzip'),
    );
    const queries = fc.dictionary(
      fc.constantFrom('repository', 'x', '__proto__'),
      wildText.map((text) => text.toWellFormed()),
    );
    await assertFuzzed(
      fc.asyncProperty(
        fc.dictionary(names, values),
        queries,
        fc.string({ unit: 'binary' }),
        async (headers, query, body) => {
          const answer = await doors.send(`${path}?${new URLSearchParams(query)}`, { body, headers });
          doors.expectNoFault(answer);
          expect({ text: answer.text, isTaken: answer.status < 400 }).toMatchObject({ isTaken: false });
        },
      ),
      fuzzRuns(80, 0.05),
    );
  });
});

const BEGUN = 'state-of-this-attempt';
const CODE = 'code-of-the-host';

function inCookie(value: unknown): string {
  const text = (typeof value === 'string' ? value : asJson(value)).toWellFormed();
  return text.replaceAll(/[^\x20-\x7e]/g, '%').slice(0, 4000);
}
