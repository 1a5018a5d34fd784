import { describe, expect, it } from 'vitest';
import { AuthorityRefused, AuthorityUnavailable } from '../certificate-authority.ts';
import { AcmeProblem, readProblem, readRetryAfter } from './acme-problem.ts';
import { explainProblem } from './explain-problem.ts';

const now = new Date('2026-11-15T12:00:00Z');
const urn = (type: string) => `urn:ietf:params:acme:error:${type}`;

function explain(body: object, { status = 403, retryAt = null as Date | null, hostname = 'www.example.org' } = {}) {
  const error = new AcmeProblem(readProblem(body), { status, retryAt });
  return explainProblem(error, { hostnames: [hostname], now });
}

describe('what an authority says, in words', () => {
  it.each([
    ['dns', /could not look up www\.example\.org in DNS\. It says: X\. Check its records/],
    ['connection', /could not reach http:\/\/www\.example\.org\/\. It says: X\. Port 80 must be open/],
    ['unauthorized', /Something else than this platform answered .* for www\.example\.org\. It says: X\./],
    ['caa', /CAA records of www\.example\.org.*Add a CAA record/],
    ['rejectedIdentifier', /gives no certificates for www\.example\.org\. It says: X\. Use another name\./],
    ['externalAccountRequired', /LILAC_ACME_DIRECTORY/],
    ['userActionRequired', /wants something of whoever runs this platform/],
    ['somethingNew', /^The certificate authority refused\. It says: X\.$/],
  ])('%s', (type, expected) => {
    const identifier = { type: 'dns', value: 'www.example.org' };
    const refused = explain({ type: urn(type), detail: 'X', identifier });
    expect(refused).toBeInstanceOf(AuthorityRefused);
    expect(refused.message).toMatch(expected);
  });

  it('is about the name that it names, and the problem within the problem', () => {
    const inner = { type: urn('caa'), detail: 'X', identifier: { type: 'dns', value: 'example.org' } };
    const refused = explain({ type: urn('compound'), detail: 'several', subproblems: [inner] });
    expect(refused.message).toMatch(/^The CAA records of example\.org/);
  });

  it('is about the account where it names nothing', () => {
    const refused = explain({ type: urn('unauthorized'), detail: 'Account is deactivated' });
    expect(refused.message).toBe('The certificate authority refused. It says: Account is deactivated.');
  });

  it('is no refusal where the authority is out of order', () => {
    const failed = explain({ type: urn('serverInternal'), detail: 'X' }, { status: 500 });
    expect(failed).toBeInstanceOf(AuthorityUnavailable);
    expect(explain({}, { status: 502 }).message).toBe('The certificate authority is out of order.');
  });

  // As Let's Encrypt words its limits, now (boulder's ratelimits/limiter.go and wfe2/wfe.go) and formerly.
  const see = ', retry after 2026-11-16 10:00:00 UTC: see https://letsencrypt.org/docs/rate-limits/';
  it.each([
    [`too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s${see}`, false],
    [`too many certificates (50) already issued for "example.org" in the last 168h0m0s${see}`, false],
    [`too many certificates (50) already issued for "2001:db8::/64" in the last 168h0m0s${see}`, false],
    [
      `too many failed authorizations (5) for "www.example.org" in the last 1h0m0s${see}#authorization-failures-per-identifier-per-account`,
      false,
    ],
    [
      'Your account is temporarily prevented from requesting certificates for www.example.org and possibly others. Please visit: https://portal.example/?jwt=x',
      false,
    ],
    ['Error creating new order :: too many certificates already issued for exact set of domains: a.example', false],
    ['Something that nobody has read before', false],
    [`too many new orders (300) from this account in the last 3h0m0s${see}#new-orders-per-account`, true],
    [`too many new registrations (10) from this IP address in the last 3h0m0s${see}`, true],
    [`too many new registrations (500) from this /48 subnet of IPv6 addresses in the last 3h0m0s${see}`, true],
    ['Error creating new order :: too many new orders recently: see https://letsencrypt.org/docs/', true],
    ['Error creating new order :: too many currently pending authorizations: see', true],
    ['Service busy; retry later.', true],
  ])('is a limit for all only where it says so: %s', (detail, isForAll) => {
    expect(explain({ type: urn('rateLimited'), detail }, { status: 429 })).toMatchObject({
      isForAll,
      retryAt: new Date('2026-11-15T13:00:00Z'),
    });
  });

  it('is for all where whoever stands before the authority answers without a word, or says until when', () => {
    const retryAt = new Date('2026-11-15T12:05:00Z');
    expect(explain({}, { status: 429 })).toMatchObject({ isForAll: true });
    expect(explain({}, { status: 503, retryAt })).toMatchObject({ isForAll: true, retryAt });
    const down = explain({ detail: 'The service is down for maintenance' }, { status: 503, retryAt });
    expect(down.message).toMatch(/maintenance\.$/);
    expect([explain({}, { status: 503 }), explain({}, { status: 500, retryAt })]).toMatchObject([
      { isForAll: false },
      { isForAll: false },
    ]);
  });

  it('may be anything: it is somebody else’s', () => {
    for (const value of [null, 'x', 7, [], { type: 7, detail: {}, subproblems: 'x', identifier: 'y' }]) {
      expect(readProblem(value)).toEqual({ type: '', detail: '', name: null, subproblems: [] });
    }
    const odd = readProblem({ detail: `line\none\x1b[2J ${'x'.repeat(1000)}` });
    expect(odd.detail).toHaveLength(401);
    expect(odd.detail.startsWith('line one x')).toBe(true);
  });
});

describe('when to come again', () => {
  it.each([
    [undefined, null],
    ['120', '2026-11-15T12:02:00.000Z'],
    ['Sun, 15 Nov 2026 13:00:00 GMT', '2026-11-15T13:00:00.000Z'],
    ['soon', null],
    ['31536000', '2026-11-22T12:00:00.000Z'],
    ['9'.repeat(30), '2026-11-22T12:00:00.000Z'],
  ])('%s', (header, expected) => {
    expect(readRetryAfter(header, now)?.toISOString() ?? null).toBe(expected);
  });
});
