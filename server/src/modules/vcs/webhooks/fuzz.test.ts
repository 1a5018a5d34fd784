import { createHmac } from 'node:crypto';
import type { GitProvider } from '@lilac/contract/states';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertFuzzed, fuzzRuns, mutationsOf, readCorpus, withExamples } from '../../../testing/fuzz-settings.ts';
import { TELLING } from '../../../testing/fuzz-values.ts';
import { mayBeFromBitbucket, readBitbucketDelivery } from '../../../vcs/bitbucket/read-delivery.ts';
import { hookSecret } from '../../../vcs/connection/hook-secret.ts';
import { mayBeFromGithub, readGithubDelivery } from '../../../vcs/github/read-delivery.ts';
import { isFromGitlab, readGitlabDelivery } from '../../../vcs/gitlab/read-delivery.ts';
import type { WebhookRequest } from '../../../vcs/vcs-host.ts';
import { openPushWorld, type PushWorld } from './testing/push-world.ts';

const SECRET = 'a secret of the app';
const KEY = Buffer.alloc(32, 1);

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
  // Only what they tell is under test: it is read as the hosts' own code reads it.
  Object.assign(world.hosts.provider1, {
    mayBeGenuine: mayBeFromGithub,
    readDelivery: (request: WebhookRequest) => readGithubDelivery(request, SECRET),
  });
  Object.assign(world.hosts.provider2, {
    mayBeGenuine: (request: WebhookRequest) => isFromGitlab(request, KEY),
    readDelivery: (request: WebhookRequest) => readGitlabDelivery(request, KEY),
  });
  Object.assign(world.hosts.provider3, {
    mayBeGenuine: mayBeFromBitbucket,
    readDelivery: (request: WebhookRequest) => readBitbucketDelivery(request, KEY),
  });
  // Its repository is the 101st of the host, which is what the corpus speaks of.
  await world.addRepository('acme/shop');
  await world.linkInstallation('acme', world.owner, 5001);
  await world.create('Shop', 'acme/shop');
});
afterAll(() => world[Symbol.asyncDispose]());

const signed = (body: Buffer, secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const REPOSITORIES = { provider1: '101', provider2: '101', provider3: '{101}' };

/** As the host would send it, whatever the body says. */
function rightly(provider: GitProvider, body: Buffer, event: string): WebhookRequest {
  const repositoryId = REPOSITORIES[provider];
  if (provider === 'provider1') {
    return { body, query: {}, headers: { 'x-github-event': event, 'x-hub-signature-256': signed(body, SECRET) } };
  }
  const secret = hookSecret(KEY, { provider, repositoryId });
  const headers: Record<string, string> =
    provider === 'provider2'
      ? { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret }
      : { 'x-event-key': 'repo:push', 'x-hub-signature': signed(body, secret) };
  return { body, query: { repository: repositoryId }, headers };
}

/** When its time is over, a property leaves its last request alone. */
const underWay = new Set<Promise<unknown>>();

const PATHS = { provider1: 'vcs-app', provider2: 'provider2', provider3: 'provider3' };

async function post(provider: GitProvider, { headers, query, body }: WebhookRequest) {
  const url = `/api/${PATHS[provider]}/webhook`;
  const sent = { 'content-type': 'application/json', ...headers } as Record<string, string>;
  const asking = world.api.app.inject({
    method: 'POST',
    url,
    query: query as Record<string, string>,
    headers: sent,
    payload: body,
  });
  underWay.add(asking);
  const answer = await asking.finally(() => underWay.delete(asking));
  return { status: answer.statusCode, text: answer.body, body: answer.json<{ code?: string }>() };
}

const EVENTS = ['push', 'installation', 'installation_repositories', 'ping', '__proto__', ''];
const telling = ['"', '{', '[', ']', '}', ',', ':', 'null', '1e999', '\\u0000', '\\ud800', '\0', '\xff', '-1', '""'];
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    'refs/heads/../../x',
    'refs/heads/--upload-pack=x',
    'refs/heads/$(id)',
    '\0',
    '\ud800',
    'a'.repeat(100_000),
  ),
  fc.string({ maxLength: 20 }).map((name) => `refs/heads/feature/${name}`),
);
const hostileValue = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, -1, 2 ** 53, 1e308, 0.5, [], {}, [[]], { id: 1 }),
);

/** One value anywhere in it exchanged. */
function spoiltOf(body: Buffer): fc.Arbitrary<Buffer> {
  const whole = JSON.parse(body.toString()) as unknown;
  return fc.array(fc.tuple(fc.nat(200), hostileValue), { minLength: 1, maxLength: 3 }).map((changes) => {
    const spoilt = { whole: structuredClone(whole) };
    for (const [at, value] of changes) {
      const places = placesIn(spoilt);
      const [holder, name] = places[at % places.length]!;
      holder[name] = structuredClone(value);
    }
    return Buffer.from(JSON.stringify(spoilt.whole) ?? '');
  });
}

function placesIn(value: object): [Record<string, unknown>, string][] {
  return Object.entries(value).flatMap(([name, child]: [string, unknown]) => [
    [value as Record<string, unknown>, name],
    ...(typeof child === 'object' && child !== null ? placesIn(child) : []),
  ]);
}

/** Every text that is read of it once with each that tells something, all else being as the host sends it. */
function tellingIn(body: Buffer): Buffer[] {
  const whole = JSON.parse(body.toString()) as object;
  return placesIn(whole).flatMap(([holder, name]) => {
    const right = holder[name];
    if (typeof right !== 'string' || !READ.test(name)) return [];
    const start = right.startsWith(BRANCH) ? BRANCH : '';
    const bodies = TELLING.map((text) => {
      holder[name] = start + text;
      return Buffer.from(JSON.stringify(whole));
    });
    holder[name] = right;
    return bodies;
  });
}
const BRANCH = 'refs/heads/';
/** What branches, people and repositories are called, and what is said of a commit. */
const READ = /^(?:ref|message|path_with_namespace)$|name$/;

const eventOf = (body: Buffer) => ('ref' in (JSON.parse(body.toString()) as object) ? 'push' : 'installation');

const stored = async () => {
  await Promise.all(underWay);
  const { rows } = await world.api.store.pool.query<{ count: number }>('select count(*)::int from vcs_deliveries');
  return rows[0]!.count;
};

describe.each(['provider1', 'provider2', 'provider3'] as const)('webhooks of %s', (provider) => {
  const corpus = readCorpus('webhooks').filter((body) => belongsTo(provider, body));
  const events = fc.constantFrom(...EVENTS);

  it('signed, of any body, are taken or refused', async () => {
    expect.hasAssertions();
    const bodies = fc.oneof(mutationsOf(corpus, telling), ...corpus.map(spoiltOf), ...corpus.map(spoiltOf));
    await assertFuzzed(
      fc.asyncProperty(bodies, events, async (body, event) => {
        const { status, text } = await post(provider, rightly(provider, body, event));
        expect({ status, text, isRight: [200, 400, 401].includes(status) }).toEqual({ status, text, isRight: true });
      }),
      withExamples(
        fuzzRuns(120, 0.3),
        corpus.flatMap((body) => EVENTS.map((event): [Buffer, string] => [body, event])),
      ),
    );
  });

  it('signed, with a telling text anywhere in them, are taken or refused', async () => {
    const right = corpus.filter((body) => !body.includes('\\u0000'));
    const examples = right.flatMap((body) => tellingIn(body).map((each) => [each, eventOf(body)] as const));
    const wrong: object[] = [];
    for (const [body, event] of examples) {
      const { status, text } = await post(provider, rightly(provider, body, event));
      if (![200, 400, 401].includes(status)) wrong.push({ sent: body.toString().slice(0, 2000), status, text });
    }
    expect(wrong).toEqual([]);
    expect(examples.length).toBeGreaterThan(TELLING.length);
  });

  it('with a signature that is not right in one place are refused, and leave nothing', async () => {
    const before = await stored();
    await assertFuzzed(
      fc.asyncProperty(
        fc.constantFrom(...corpus),
        fc.nat(200),
        fc.string({ maxLength: 3 }),
        async (body, at, with_) => {
          const request = rightly(provider, body, 'push');
          const forged = Object.fromEntries(
            Object.entries(request.headers).map(([name, value]) => [
              name,
              /signature|token/.test(name) ? alter(value!, at, with_) : value,
            ]),
          );
          const { status, body: answer } = await post(provider, { ...request, headers: forged });
          expect({ forged, status, code: answer.code }).toEqual({ forged, status: 401, code: 'CA002' });
        },
      ),
      withExamples(
        fuzzRuns(40, 0.03),
        corpus.map((body): [Buffer, number, string] => [body, 0, 'x']),
      ),
    );
    expect(await stored()).toBe(before);
  });
});

it('and what they led to was done: nothing of it fails for ever', async () => {
  await world.settled();
  const { rows } = await world.api.store.pool.query(`select kind, error from jobs where state = 'failed'`);
  expect(rows).toEqual([]);
});

function belongsTo(provider: GitProvider, body: Buffer): boolean {
  const content = JSON.parse(body.toString()) as object;
  if (provider === 'provider2') return 'project_id' in content;
  return provider === 'provider3' ? 'push' in content : 'installation' in content;
}

/** Never the same. */
function alter(text: string, at: number, with_: string): string {
  const place = at % text.length;
  const altered = text.slice(0, place) + with_.replaceAll(/[^\x21-\x7e]/g, 'x') + text.slice(place + 1);
  return altered === text ? `${text}0` : altered;
}
