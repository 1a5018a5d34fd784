import { describe, expect, it } from 'vitest';
import { writeLink } from '../link/link.ts';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const record = { type: 'CNAME', name: 'www.example.org', value: 'shop.apps.example.net' };
const notFound = 'No CNAME record was found at www.example.org yet. Create it, then wait.';
const state = { domain: 'www.example.org', records: [record], error: null };
const missing = { ...state, dns_verified: false, certificate_status: 'provisioning', error: notFound };
const ordered = { ...state, dns_verified: true, certificate_status: 'provisioning' };
const served = { ...state, dns_verified: true, certificate_status: 'issued' };
const failed = { ...served, certificate_status: 'failed', error: 'The authority could not reach the name.' };
const bare = { domain: null, dns_verified: false, certificate_status: 'none', records: [], error: null };
const none = { ...bare, url: null, auto_subdomain: true };

type Answer = { status?: number; body: unknown };

/** Answers one state after another, and the last of them for ever. */
async function start(endpoint: string, first: object, ...later: (object | Answer)[]) {
  const left = [...later];
  const next = (): Answer => {
    const answer = left.length > 1 ? left.shift()! : left[0]!;
    return 'body' in answer ? answer : { body: answer };
  };
  const platform = await startPlatformDouble({
    [`/api/applications/${endpoint}`]: { body: first },
    ...(endpoint !== 'check-domain' && { '/api/applications/check-domain': next }),
  });
  const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key', LANG: 'C.UTF-8' };
  return { environment, received: platform.received, [Symbol.dispose]: () => platform[Symbol.dispose]() };
}

const table = 'TYPE   NAME             VALUE\nCNAME  www.example.org  shop.apps.example.net\n';

describe('lilac domains add', () => {
  it('shows the records, then every step once, until it is served', async () => {
    using platform = await start('add-domain', missing, missing, ordered, served);
    const { exitCode, out, err } = await lilac('domains add www.example.org app_1', platform.environment);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toBe(
      `www.example.org\n\nCreate this record where the DNS of the domain is kept:\n\n${table}\n` +
        `… Record missing\n${notFound}\n✓ Record found\n✓ Certificate ordered\n… Certificate on its way\n` +
        `✓ Certificate issued\n\nhttps://www.example.org is served.\n`,
    );
    expect(platform.received[0]).toMatchObject({
      path: '/api/applications/add-domain',
      body: { domain: 'www.example.org', applicationId: 'app_1' },
    });
    expect(platform.received[1]?.body).toEqual({ applicationId: 'app_1' });
  });

  it('waits for nothing with --no-wait', async () => {
    using platform = await start('add-domain', missing, served);
    const { out } = await lilac('domains add www.example.org env_1 --no-wait', platform.environment);
    expect(out).toBe(
      `www.example.org\n\n… Record missing\n· Certificate ordered\n· Certificate issued\n\n${notFound}\n\n` +
        `Create this record where the DNS of the domain is kept:\n\n${table}`,
    );
    expect(platform.received).toMatchObject([{ body: { domain: 'www.example.org', environmentId: 'env_1' } }]);
  });

  it('says truthfully that a proxy has to do https, or that the certificate has to wait', async () => {
    const limited = { ...ordered, error: 'A limit is reached.' };
    const proxied = { ...ordered, certificate_status: 'none' };
    using platform = await start('add-domain', limited, proxied);
    const { exitCode, out } = await lilac('domains add www.example.org app_1', platform.environment);
    expect(exitCode).toBe(0);
    expect(out).toBe(
      'www.example.org\n\n✓ Record found\n… Certificate waits to be ordered\nA limit is reached.\n' +
        '✓ https is up to a proxy in front\n\nwww.example.org leads here. This platform serves no https itself: a proxy ' +
        'in front of it has to, with a certificate for this name.\n',
    );
  });

  it('prints one object with --json: the last', async () => {
    using platform = await start('add-domain', ordered, served);
    const { exitCode, out } = await lilac('domains add www.example.org app_1 --json', platform.environment);
    expect([exitCode, JSON.parse(out)]).toEqual([0, served]);
  });

  it('fails when the certificate does, and says what can be done', async () => {
    using platform = await start('add-domain', ordered, failed);
    const { exitCode, out, err } = await lilac('domains add www.example.org app_1', platform.environment);
    expect(exitCode).toBe(1);
    expect(out).toMatch(/✗ Certificate failed\nThe authority could not reach the name\.\n$/);
    expect(err).toContain('lilac domains retry app_1');
  });

  it('does not wait where there is no record that anybody could create', async () => {
    const error = 'Whoever runs the platform has to set LILAC_PUBLIC_ADDRESSES.';
    using platform = await start('add-domain', { ...missing, records: [], error }, served);
    const { exitCode, out, err } = await lilac('domains add www.example.org app_1', platform.environment);
    expect([exitCode, out]).toEqual([1, `www.example.org\n\n… No address to point the domain at\n${error}\n`]);
    expect(err).toContain('the sentence above says what to do');
  });

  it('goes on when the platform is away for a moment, and stops when it refuses', async () => {
    const away = { status: 503, body: { code: 'SV001', message: 'Starting.' } };
    using platform = await start('add-domain', ordered, away, served);
    expect(await lilac('domains add www.example.org app_1', platform.environment)).toMatchObject({ exitCode: 0 });
    const gone = { status: 404, body: { code: 'NF001', message: 'Application app_1 was not found.' } };
    using other = await start('add-domain', ordered, gone);
    const refused = await lilac('domains add www.example.org app_1', other.environment);
    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining('was not found') as string });
  });

  it('stops waiting after --timeout, and says that the platform does not', async () => {
    using platform = await start('add-domain', missing, missing);
    const { exitCode, err } = await lilac('domains add www.example.org app_1 --timeout 0', platform.environment);
    expect([exitCode, err]).toEqual([
      1,
      'lilac: Stopped waiting. The platform goes on by itself; see how far it is: lilac domains check app_1\n',
    ]);
  });

  it('stops when it is told to', async () => {
    using platform = await start('add-domain', missing, missing);
    const { signal, abort } = stopper();
    const watch = (out: string) => out.includes('Record missing') && abort();
    const { exitCode, err } = await lilac('domains add www.example.org app_1', platform.environment, { signal, watch });
    expect([exitCode, err]).toEqual([1, 'lilac: Stopped waiting. The platform goes on by itself.\n']);
  });

  it.each([
    ['domains add www.example.org', 'Which application? Name it'],
    ['domains remove --yes', 'Missing: app'],
    ['domains update www.example.org --yes', 'Missing: app'],
    ['domains remove app_1', 'The domain that is served stops at once. Add --yes to do it.'],
    ['domains update www.example.org app_1', 'Add --yes to do it.'],
    ['domains add www.example.org app_1 --timeout soon', '--timeout is a number'],
    ['domains add www.example.org app_1 --timeout -1', '--timeout is a number'],
  ])('says what is wrong with "%s"', async (line, words) => {
    const { exitCode, err } = await lilac(line, { LILAC_TOKEN: 'lc_key' });
    expect(exitCode).toBe(2);
    expect(err).toContain(words);
  });
});

describe('what a domain is of', () => {
  const page = { items: [{ id: 'app_1', name: 'Shop', slug: 'shop', production_environment_id: 'env_1' }] };
  const environments = [{ id: 'env_2', name: 'staging', is_production: false }];

  it('is given by a name, or by the link of the folder', async () => {
    using folder = temporaryFolder();
    using platform = await startPlatformDouble({
      '/api/applications': { body: { ...page, totalItems: 1, totalPages: 1, currentPage: 1 } },
      '/api/environments': { body: environments },
      '/api/applications/check-domain': { body: served },
    });
    const { url: apiUrl } = platform;
    writeLink(folder.path, { apiUrl, organisationId: '-', applicationId: 'app_1', environmentId: 'env_1' });
    const environment = { LILAC_API_URL: apiUrl, LILAC_TOKEN: 'lc_key' };
    for (const [line, environmentId] of [
      ['domains check shop', 'env_1'],
      ['domains check --env staging', 'env_2'],
      ['domains check', 'env_1'],
      ['domains', 'env_1'],
    ] as const) {
      expect(await lilac(line, environment, { cwd: folder.path })).toMatchObject({ exitCode: 0 });
      expect(platform.received.at(-1)).toMatchObject({
        path: '/api/applications/check-domain',
        body: { environmentId },
      });
    }
  });
});

function stopper() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

describe('lilac domains check', () => {
  it('shows how far it is, and that the records must stay', async () => {
    using platform = await start('check-domain', served);
    const { out } = await lilac('domains check env_1', platform.environment);
    expect(out).toBe(
      'www.example.org\n\n✓ Record found\n✓ Certificate ordered\n✓ Certificate issued\n\n' +
        `Leave this record where the DNS of the domain is kept:\n\n${table}`,
    );
    expect(platform.received).toMatchObject([{ body: { environmentId: 'env_1' } }]);
  });

  it('tells the port, where the platform is not at the usual one', async () => {
    const atPort = { ...served, url: 'https://www.example.org:7443' };
    using platform = await start('check-domain', atPort);
    const { out } = await lilac('domains check env_1', platform.environment);
    expect(out).toMatch(/^www\.example\.org, at https:\/\/www\.example\.org:7443\n/);
    const waited = await lilac('domains check env_1 --wait', platform.environment);
    expect(waited.out).toMatch(/\nhttps:\/\/www\.example\.org:7443 is served\.\n$/);
  });

  it('says that the generated address is switched off, and how it is switched on', async () => {
    using platform = await start('check-domain', { ...none, auto_subdomain: false });
    const { out } = await lilac('domains check env_1', platform.environment);
    expect(out).toMatch(
      /its generated address is switched off: it is reached at none\..*"lilac domains remove" switches/s,
    );
  });

  it('says when there is none, even to whom would wait', async () => {
    using platform = await start('check-domain', none);
    for (const line of ['domains check app_1', 'domains check app_1 --wait']) {
      expect(await lilac(line, platform.environment)).toMatchObject({
        exitCode: 0,
        out: 'It has no domain of its own; "lilac domains add" gives it one.\n',
      });
    }
  });

  it('cuts no record: on a narrow terminal its parts stand below one another', async () => {
    const text = { type: 'TXT', name: '_lilac-verify.www.example.org', value: `lilac-verify=${'a'.repeat(43)}` };
    using platform = await start('check-domain', { ...missing, records: [record, text] });
    const { out } = await lilac('domains check app_1', platform.environment, { width: 60 });
    expect(out).toContain('Create these records');
    expect(out).toContain(`TYPE   TXT\nNAME   ${text.name}\nVALUE  ${text.value}\n`);
  });

  it('keeps to ASCII where the terminal does', async () => {
    using platform = await start('check-domain', failed);
    const { out } = await lilac('domains check app_1', { ...platform.environment, LANG: 'C' });
    expect(out).toContain('[x] Record found\n[x] Certificate ordered\n[!] Certificate failed\n');
  });

  it('lets no answer move the cursor', async () => {
    using platform = await start('check-domain', { ...missing, error: 'found \u001b[2Jnothing' });
    expect((await lilac('domains check app_1', platform.environment)).out).toContain('found nothing');
  });
});

describe('lilac domains update, retry and remove', () => {
  it('replace, and wait', async () => {
    const other = { ...served, domain: 'shop.example.org' };
    using platform = await start('update-domain', other, other);
    const { out } = await lilac('domains update shop.example.org app_1 --yes', platform.environment);
    expect(out).toMatch(/^shop\.example\.org\n.*https:\/\/shop\.example\.org is served\.\n$/s);
    expect(platform.received).toMatchObject([{ body: { newDomain: 'shop.example.org', applicationId: 'app_1' } }]);
  });

  it('try again, and wait only when asked', async () => {
    using platform = await start('retry-domain', ordered, served);
    const at = await lilac('domains retry app_1', platform.environment);
    expect(at.out).toContain('… Certificate on its way');
    const end = await lilac('domains retry app_1 --wait', platform.environment);
    expect(end.out).toMatch(/https:\/\/www\.example\.org is served\.\n$/);
  });

  it('serve every name below a wildcard', async () => {
    const wildcard = { ...served, domain: '*.example.org' };
    using platform = await start('retry-domain', wildcard, wildcard);
    const { out } = await lilac('domains retry app_1 --wait', platform.environment);
    expect(out).toMatch(/Every name below example\.org is served\.\n$/);
  });

  it.each([
    ['domains remove app_1 --yes', { applicationId: 'app_1' }, 'generated address.\n'],
    [
      'domains remove env_1 --yes --no-revert-to-auto-subdomain',
      { environmentId: 'env_1', revertToAutoSubdomain: false },
      'at none until it has a domain again.\n',
    ],
  ])('take away: %s', async (line, body, words) => {
    using platform = await start('remove-domain', none, none);
    const { exitCode, out } = await lilac(line, platform.environment);
    expect([exitCode, platform.received[0]?.body]).toEqual([0, body]);
    expect(out).toMatch(/^It has no domain of its own now/);
    expect(out).toContain(words);
  });

  it.each([
    ['domains remove env_1', 'remove-domain', /^www\.example\.org is gone\./],
    ['domains remove app_1', 'remove-domain', /^www\.example\.org is gone\./],
    ['domains update shop.example.org env_1 --no-wait', 'update-domain', /^shop\.example\.org\n/],
  ])('ask before what is served stops: %s', async (line, endpoint, words) => {
    const environment = { id: 'env_1', is_production: true, custom_domain: 'www.example.org' };
    using platform = await startPlatformDouble({
      '/api/environments/get': { body: environment },
      '/api/applications/get': { body: { id: 'app_1', environments: [environment] } },
      '/api/applications/remove-domain': { body: none },
      '/api/applications/update-domain': { body: { ...served, domain: 'shop.example.org' } },
    });
    const run = (answer: string) =>
      lilac(line, { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' }, { typed: [answer], isTerminal: true });
    const changes = () => platform.received.filter(({ path }) => path.endsWith(endpoint));
    const refused = await run('n');
    expect([refused.exitCode, refused.err, changes()]).toEqual([
      1,
      expect.stringMatching(/www\.example\.org stops at once.*\? \[y\/N\] .*Nothing was changed\./s),
      [],
    ]);
    expect(await run('y')).toMatchObject({ exitCode: 0, out: expect.stringMatching(words) as string });
    expect(changes()).toHaveLength(1);
  });

  it.each([
    ['www.example.org', /www\.example\.org stops at once, and so does the generated address: .* at none/],
    [null, /^The generated address stops at once: .* at none/],
  ])('say that the generated address stops too, where it does: %s', async (custom_domain, words) => {
    using platform = await startPlatformDouble({
      '/api/environments/get': { body: { id: 'env_1', is_production: true, custom_domain } },
    });
    const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
    const line = 'domains remove env_1 --no-revert-to-auto-subdomain';
    const refused = await lilac(line, environment, { typed: ['n'], isTerminal: true });
    expect([refused.exitCode, refused.err]).toEqual([1, expect.stringMatching(words)]);
    expect(refused.err).toContain('Nothing was changed.');
  });

  it('ask nothing, and claim nothing, where there is no domain', async () => {
    using platform = await startPlatformDouble({
      '/api/environments/get': { body: { id: 'env_1', is_production: true, custom_domain: null } },
      '/api/applications/remove-domain': { body: none },
    });
    const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
    const { out } = await lilac('domains remove env_1', environment, { isTerminal: true });
    expect(out).toBe('It has no domain of its own now. The environment is at its generated address.\n');
  });

  it('answer as the platform does with --json', async () => {
    using platform = await start('remove-domain', none, none);
    expect(JSON.parse((await lilac('domains remove app_1 --yes --json', platform.environment)).out)).toEqual(none);
  });
});
