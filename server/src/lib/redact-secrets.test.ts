import { describe, expect, it } from 'vitest';
import { newToken } from './hash.ts';
import { redactText, redactValue } from './redact-secrets.ts';

const key = `lc_${'a1B2'.repeat(3)}_${'x9Y8'.repeat(9)}Zz`;
const session = `eyJhbGciOiJIUzI1NiJ9.${'eyJzdWIi'.repeat(4)}.${'s1gnature'.repeat(3)}`;

describe('text that somebody else wrote', () => {
  it.each([
    ['a header', 'authorization: Bearer hunter2hunter2', 'hunter2'],
    ['a credential by itself', 'refused Bearer abc.def-123 twice', 'abc.def'],
    ['basic credentials', 'sent Basic aHVudGVyMjpodW50ZXIy', 'aHVudGVyMjpodW50ZXIy'],
    ['all parts of a cookie', 'Cookie: a=hunter2; lilac_refresh=hunter3\nnext', 'hunter'],
    ['what follows a header', 'authorization: x; password="hunter2"', 'hunter2'],
    ['a cookie with quotes', 'set-cookie: a="hunter2 b"; c=hunter2', 'hunter2'],
    ['a header in JSON', '{"cookie":"a=hunter2; b=\'hunter2\'","n":1}', 'hunter2'],
    ['a connection string', 'cannot reach postgresql://ada:hunter2@db.example.org:5432/lilac', 'hunter2'],
    ['the same with a parameter', 'postgresql://db/lilac?user=ada&password=hunter2&x=1', 'hunter2'],
    ['a field of JSON', '{"email":"a@b.c","password":"hunter2 \\"and\\" more","n":1}', 'hunter2'],
    ['a variable of a shell', "STRIPE_SECRET='hunter2' npm start", 'hunter2'],
    ['a name within a name', 'x-api-key=hunter2', 'hunter2'],
    ['an API key', `not known: ${key}`, 'x9Y8'],
    ['a session', `expired: ${session}`, 's1gnature'],
  ])('has no secret left: %s', (_, text, secret) => {
    const redacted = redactText(text);
    expect(redacted).not.toContain(secret);
  });

  it('strikes out what newToken makes, wherever it stands', () => {
    const tokens = Array.from({ length: 50 }, newToken).filter((token) => /\d/.test(token) && /[A-Z]/.test(token));
    expect(tokens.length).toBeGreaterThan(40);
    for (const token of tokens) expect(redactText(`(${token})`)).toBe('([redacted])');
  });

  it.each([
    'Cannot read properties of undefined (reading "token")',
    'duplicate key value violates unique constraint "users_email"',
    '    at run (/opt/lilac/server/src/jobs/attempts.ts:72:11)',
    'https://lilac.example.org/docs?page=2',
    'env_01k0000000000000000000000 at 10.213.0.7:3000, sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ])('stays readable: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it.each(['a', 'token', '-eyJ', 'a://', 'password='])(
    'costs in proportion to its length: %s again and again',
    (word) => {
      const costOf = (length: number) => {
        const began = performance.now();
        redactText(word.repeat(length / word.length));
        return performance.now() - began;
      };
      costOf(1000);
      // Were it the square of the length, it would be 256 times as much.
      expect(costOf(160_000)).toBeLessThan(100 * (costOf(10_000) + 1));
    },
  );
});

describe('a value', () => {
  it('has its secrets struck out at any depth, by name', () => {
    const value = { a: [{ refreshToken: 'hunter2', tokens: 3, user: { 'set-cookie': ['hunter2'] } }], secret: null };
    expect(redactValue(value)).toEqual({
      a: [{ refreshToken: '[redacted]', tokens: 3, user: { 'set-cookie': '[redacted]' } }],
      secret: null,
    });
  });

  it('keeps the names of variables, and none of their values', () => {
    const value = { variables: { HOST: 'example.org', PIN: 1234 }, environment: 'env_1' };
    expect(redactValue(value)).toEqual({
      variables: { HOST: '[redacted]', PIN: '[redacted]' },
      environment: 'env_1',
    });
  });
});
