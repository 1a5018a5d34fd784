import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CUT_MARK, cutLine, LineSplitter, MAX_LINE_BYTES, MAX_READ_BYTES } from '../sandbox/split-lines.ts';
import { filled, growsLinearly } from '../testing/grows-linearly.ts';
import { createRedactor, prepareRedactor, redactError } from './redact.ts';

const KEY = '-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQE\n-----END KEY-----\n';

describe('redaction', () => {
  it('strikes a secret out of the middle of a line, as often as it stands there', () => {
    const redact = createRedactor({ API_TOKEN: 's3cr3t-$&-value' });
    expect(redact('a s3cr3t-$&-value b "s3cr3t-$&-value"')).toBe('a [redacted] b "[redacted]"');
  });

  it.each([
    ['base64', 'czNjcjN0LXZhbHVlIQ=='],
    ['base64 without padding', 'czNjcjN0LXZhbHVlIQ'],
    ['percent-encoding', 's3cr3t-value%3F'],
    ['JSON', String.raw`line\nfeed\"99`],
  ])('strikes out its %s', (_form, printed) => {
    const redact = createRedactor({ A: 's3cr3t-value!', B: 's3cr3t-value?', C: 'line\nfeed"99' });
    expect(redact(`<${printed}>`)).toBe('<[redacted]>');
  });

  it('strikes out each line of a value of many', () => {
    const redact = createRedactor({ PRIVATE_KEY: KEY });
    expect(KEY.split('\n').map(redact)).toEqual(['[redacted]', '[redacted]', '[redacted]', '[redacted]', '']);
  });

  it('leaves short lines of such a value alone, which are anybody’s', () => {
    const redact = createRedactor({ SERVICE_KEY: '{\n"id": "s3cr3t-value",\nnull\n}' });
    expect(['{', 'null', '"id": "s3cr3t-value",'].map(redact)).toEqual(['{', 'null', '[redacted]']);
  });

  it('strikes out the longer of two that begin alike whole', () => {
    const redact = createRedactor({ A_KEY: 'abc-123', B_KEY: 'abc-123-xyz' });
    expect(redact('abc-123-xyz abc-123')).toBe('[redacted] [redacted]');
  });

  it('strikes out an address with a password, and the password alone', () => {
    const redact = createRedactor({ STORE: 'postgresql://app:p%40ss-w0rd@db:5432/app' });
    expect(redact('postgresql://app:p%40ss-w0rd@db:5432/app p%40ss-w0rd p@ss-w0rd')).toBe(
      '[redacted] [redacted] [redacted]',
    );
  });

  it.each([
    'production',
    'true',
    '8080',
    'eu-central-1',
    'https://api.example.org/v1',
    './src/app',
    '1.2.3',
    'My Shop',
    'localhost:3000',
    'db.example.org',
    'http://10.0.0.5:8080/v1',
    'Europe/Berlin',
    'short',
    'a1b2c',
    '',
  ])('leaves %j alone, which says nothing', (value) => {
    expect(createRedactor({ SETTING: value })(`x ${value} y`)).toBe(`x ${value} y`);
  });

  it('does not leave a plain word alone whose name speaks of a secret', () => {
    expect(createRedactor({ DB_PASSWORD: 'production' })('production')).toBe('[redacted]');
  });

  it.each([
    ['SENDGRID', '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'],
    ['OWNER', 'swordfish123'],
    ['HOOK', 'https://hooks.example.org/services/T00000000/B00000000/XXXXXXXXXXXX'],
    ['STORAGE', '/bPxRfiCYEXAMPLEKEYbPxRfiCYEXAMPLEKEY'],
    ['PHRASE', 'correct horse battery staple'],
    ['DB_PASSWORD', '1234'],
    ['LOGIN_PASS', 't3st'],
    ['LOGIN_PASS', 'swordfish'],
    ['TLS_CERT', '/etc/own'],
  ])('strikes out %s=%s', (name, value) => {
    expect(createRedactor({ [name]: value })(`<${value}>`)).toBe('<[redacted]>');
  });

  it.each([
    ['NAME', 'hello world'],
    ['SECTION', 'frontend'],
    ['TITLE', 'documentation'],
    ['NODE_ENV', 'production'],
    ['AUTH_SCHEME', 'http'],
    ['KEYCLOAK_REALM', 'main'],
  ])('leaves %s=%s readable', (name, value) => {
    expect(createRedactor({ [name]: value })(`<${value}>`)).toBe(`<${value}>`);
  });

  it.each(['', 'abc', 'true', 'false'])('leaves %j alone whatever it is called', (value) => {
    expect(createRedactor({ API_KEY: value })(`x ${value} y`)).toBe(`x ${value} y`);
  });
});

describe('the forms of a secret', () => {
  const secret = `it's "s3cr3t"$\\päss/+`;
  const redact = createRedactor({ API_TOKEN: secret });

  it.each([
    ['hexadecimal', Buffer.from(secret).toString('hex')],
    ['hexadecimal in capitals', Buffer.from(secret).toString('hex').toUpperCase()],
    ['JSON of Python', `it's \\"s3cr3t\\"$\\\\p\\u00e4ss/+`],
    ['a text of JavaScript or Python', `it\\'s "s3cr3t"$\\\\päss/+`],
    ['a word of a shell', `it'\\''s "s3cr3t"$\\päss/+`],
    ['a quoted word of a shell', `it's \\"s3cr3t\\"\\$\\\\päss/+`],
    ['a query', new URLSearchParams({ a: secret }).toString().slice(2)],
  ])('%s', (_form, printed) => {
    expect(redact(`<${printed}>`)).toBe('<[redacted]>');
  });

  it.each(['', 'u', 'us', 'user:', 'admin:'])('base64 after %j, with anything behind it', (before) => {
    for (const after of ['', '\n', '@@', 'xyz']) {
      const [left, right] = redact(Buffer.from(before + secret + after).toString('base64')).split('[redacted]');
      // What shares a character with its neighbour stays.
      expect(Buffer.from(left!, 'base64').toString()).toBe(before);
      expect(Buffer.from(`A${right!}`.slice(-4), 'base64').toString()).not.toContain(secret.slice(-2));
    }
  });

  it.each([76, 64])('base64 in lines of %i characters', (width) => {
    const value = randomBytes(100).toString('base64url');
    const strike = createRedactor({ API_TOKEN: value });
    const lines = (text: string) =>
      Buffer.from(text)
        .toString('base64')
        .match(new RegExp(`.{1,${width}}`, 'g'))!;
    expect(lines(value).map(strike)).toEqual(lines(value).map(() => '[redacted]'));
    // Behind something else only the ends may stay.
    expect(strike(lines(`some:${value}`)[1]!)).toBe('[redacted]');
  });

  it('with colours inside, which stay', () => {
    const strike = createRedactor({ API_TOKEN: 's3cr3t-value' });
    expect(strike('\u001b[1ma s3cr\u001b[31m3t-\u001b[0mvalue b\u001b[0m s3cr3t-value')).toBe(
      '\u001b[1ma [redacted]\u001b[31m\u001b[0m b\u001b[0m [redacted]',
    );
    expect(strike('\u001b[31ms3cr3t-value\u001b[0m')).toBe('\u001b[31m[redacted]\u001b[0m');
  });

  it('that overlap are struck out whole', () => {
    expect(createRedactor({ A_KEY: 'abcdef', B_KEY: 'defghijk' })('<abcdefghijk>')).toBe('<[redacted]>');
  });
});

describe('values of any size', () => {
  it('are struck out whole, and in pieces too', () => {
    const value = randomBytes(48_000).toString('base64');
    const redact = createRedactor({ BIG: value });
    expect(redact(`<${value}>`)).toBe('<[redacted]>');
    const pieces = Array.from({ length: 500 }, (_, n) => value.slice(1001 + n, 1201 + n));
    expect(pieces.filter((piece) => redact(`<${piece}>`) !== '<[redacted]>')).toEqual([]);
    expect(pieces.filter((piece) => redact(`<${encodeURIComponent(piece)}>`) !== '<[redacted]>')).toEqual([]);
  });

  it('cost little, though there are many of them and many lines', () => {
    const variables = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`KEY_${n}`, randomBytes(300).toString('base64')]),
    );
    const redact = createRedactor({ ...variables, SAME: 'ab'.repeat(30_000) });
    const lines = Array.from({ length: 2000 }, (_, n) => `line ${n} of what is built: ${'module '.repeat(10)}`);
    const before = process.cpuUsage();
    expect(lines.map(redact)).toEqual(lines);
    redact('ab'.repeat(30_000).slice(1));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  });
});

const random = (length: number, of = 'abcdefghijklmnopqrstuvwxyz0123456789') =>
  Array.from(randomBytes(length), (byte) => of[byte % of.length]).join('');
const numbered = (values: readonly string[]) => Object.fromEntries(values.map((value, n) => [`KEY_${n}`, value]));

describe('values and lines that are made for each other', () => {
  const head = random(64);
  const common = (tail: string) => numbered(Array.from({ length: 1000 }, () => head + random(300) + tail));

  it.each([
    ['short ones that begin alike', numbered(Array.from({ length: 57 }, (_, n) => `${'a'.repeat(n + 7)}b`)), 'a'],
    ['a thousand with one beginning', common(''), `${head}!`],
    ['a thousand with one beginning that are quoted in many ways', common(`'"$\\é %`), `${head}!`],
    ['ones of one period', numbered(Array.from({ length: 80 }, (_, n) => `${head.repeat(90)}${n}`)), head],
    ['parts of others', numbered(Array.from({ length: 400 }, (_, n) => head.repeat(12).slice(n))), head],
    ['base64 of what begins alike', common(''), Buffer.from(`${head}!!`).toString('base64')],
    ['few letters', numbered(Array.from({ length: 500 }, () => random(1000, 'ab'))), 'abbab'],
  ])('cost time that grows as the line does: %s', async (_what, variables, pump) => {
    const work = createRedactor(variables);
    const make = (length: number) => filled(length, pump);
    expect(await growsLinearly({ largest: MAX_READ_BYTES, make, work })).toBe(true);
    const line = make(MAX_READ_BYTES);
    const before = process.threadCpuUsage();
    work(line);
    const { user, system } = process.threadCpuUsage(before);
    // It was up to twelve seconds.
    expect((user + system) / 1000).toBeLessThan(1000);
  });

  it('are made ready without anybody waiting for it', async () => {
    const variables = common(`'"$\\é %`);
    let longestMs = 0;
    let since = process.threadCpuUsage();
    const over = new AbortController();
    const turns = (async () => {
      while (!over.signal.aborted) {
        await nextTurn();
        const { user, system } = process.threadCpuUsage(since);
        longestMs = Math.max(longestMs, (user + system) / 1000);
        since = process.threadCpuUsage();
      }
    })();
    const redact = await prepareRedactor(variables);
    over.abort();
    await turns;
    expect(redact(`<${variables['KEY_7']}>`)).toBe('<[redacted]>');
    expect(longestMs).toBeLessThan(250);
  });
});

describe('long lines', () => {
  const secret = 's3cr3t-value-9f8e7d6c';
  const show = (line: string, redact = createRedactor({ API_TOKEN: secret })) =>
    new LineSplitter().push(Buffer.from(`${line}\n`)).map((read) => cutLine(redact(read)))[0]!;

  it('are cut after the secrets are gone, so that none is cut in two', () => {
    for (const before of [MAX_LINE_BYTES - 10, MAX_LINE_BYTES - secret.length, MAX_LINE_BYTES - 4]) {
      expect(show('x'.repeat(before) + secret + 'y'.repeat(100_000))).toBe(
        `${'x'.repeat(before)}[redacted]${'y'.repeat(10_000)}`.slice(0, MAX_LINE_BYTES) + CUT_MARK,
      );
    }
  });

  it('show no beginning of a secret where the reading ended, even if the rest was struck out', () => {
    const big = randomBytes(24_000).toString('base64');
    const redact = createRedactor({ BIG: big, API_TOKEN: secret });
    const line = `${big} ${big}`;
    const filled = line + 'z'.repeat(MAX_READ_BYTES - line.length - 10);
    const shown = show(filled + secret, redact);
    expect(shown).not.toContain('s3cr');
    expect(shown).toMatch(/^\[redacted\] \[redacted\]z*\[redacted\]… \[cut\]$/);
  });
});

describe('errors', () => {
  it('carry no secret in what is said, where it happened, or what caused them', () => {
    const redact = createRedactor({ API_TOKEN: 's3cr3t-value' });
    const cause = Object.assign(new Error('spawn s3cr3t-value'), { path: '/x/s3cr3t-value', code: 'ENOENT' });
    const error = new RangeError('no s3cr3t-value\nhere', { cause });
    expect(redactError(error, redact)).toBe(error);
    expect(error.message).toBe('no [redacted]\nhere');
    expect(cause).toMatchObject({ message: 'spawn [redacted]', path: '/x/[redacted]', code: 'ENOENT' });
    expect(`${error.stack}${cause.stack}`).not.toContain('s3cr3t');
    const abort = redactError(new DOMException('s3cr3t-value', 'AbortError'), redact);
    expect(abort.message).toBe('[redacted]');
  });
});
