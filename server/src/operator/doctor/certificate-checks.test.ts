import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeHttpsLack } from '../../certificates/https-lack-file.ts';
import { createLocalAuthority } from '../../certificates/local/local-authority.ts';
import { permittedNamesOf } from '../../certificates/local/own-names.ts';
import { pathsOf, readConfig } from '../../config.ts';
import { tryLock } from '../../lib/file-lock.ts';
import type { CertificateFacts } from '../../modules/certificates/certificate-store.ts';
import { judgeCertificates, judgePause, judgeRoot, lookAtPort } from './certificate-checks.ts';

describe('the state of certificates', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
  const good: CertificateFacts = {
    id: 'crt_1',
    hostname: 'www.example.org',
    status: 'issued',
    issuer: 'Someone',
    serial: '1',
    notBefore: inDays(-10),
    notAfter: inDays(80),
    renewAt: inDays(50),
    isRevoked: false,
    nextTryAt: null,
    error: null,
    organisation: 'Acme',
  };
  const none = { ...good, notBefore: null, notAfter: null, renewAt: null };

  it('is fine when all are well, or being got', () => {
    expect(judgeCertificates([], now).status).toBe('ok');
    expect(judgeCertificates([good], now)).toMatchObject({ status: 'ok', found: 'the one there is, is well' });
    const first = { ...none, status: 'provisioning' } as const;
    expect(judgeCertificates([good, first], now)).toMatchObject({ status: 'ok', found: 'all 2 are well' });
  });

  it.each([
    [{ ...none, status: 'failed', error: 'No.' }, 'www.example.org failed: No.'],
    [{ ...none, status: 'provisioning', error: 'Away.' }, 'www.example.org is not got yet: Away.'],
    [{ ...good, notBefore: inDays(-80), notAfter: inDays(10) }, 'www.example.org ends on 2026-11-25'],
    [
      { ...good, notBefore: inDays(-99), notAfter: inDays(-9), error: 'No.' },
      'www.example.org ended on 2026-11-06: No.',
    ],
    [{ ...good, isRevoked: true }, 'www.example.org is revoked'],
  ] as [CertificateFacts, string][])('names what is not: %#', (facts, found) => {
    expect(judgeCertificates([good, facts], now)).toMatchObject({ status: 'warn', found });
  });

  it('names some, and counts the rest', () => {
    const failed = { ...none, status: 'failed' } as const;
    expect(
      judgeCertificates(
        Array.from({ length: 6 }, () => failed),
        now,
      ).found,
    ).toMatch(/; 2 more$/);
  });
});

it('a port that is not the platform’s is told of while it runs, whoever may answer there', async () => {
  const home = mkdtempSync(join(tmpdir(), 'lilac-https-'));
  const config = readConfig({ LILAC_HOME: home });
  const paths = pathsOf(config);
  mkdirSync(paths.run, { recursive: true });
  const host = { config, environment: {} };
  writeHttpsLack(paths.httpsLack, 'Port 7443 is in use by another program.');
  expect(await lookAtPort(host)).toMatchObject({ status: 'ok', found: '7443, when the platform runs' });
  const release = tryLock(paths.supervisorLock);
  expect(await lookAtPort(host)).toMatchObject({
    status: 'warn',
    found: expect.stringContaining('no https is served') as string,
    advice: 'Port 7443 is in use by another program. Then restart.',
  });
  writeFileSync(paths.roles, JSON.stringify({ supervisor: [process.pid], worker: [process.pid] }));
  expect(await lookAtPort(host)).toMatchObject({
    status: 'ok',
    found: '7443 is not open here: no edge runs on this host',
  });
  release();
  rmSync(home, { recursive: true });
});

it('an authority that takes no orders is told of, with what to do', () => {
  const url = 'https://authority.example/directory';
  expect(judgePause(url, null)).toMatchObject({ status: 'ok', found: `${url} answers` });
  expect(judgePause(url, new Date('2026-11-16T12:00:00Z'))).toMatchObject({
    status: 'warn',
    found: expect.stringContaining('takes no orders of this platform: it is asked again on 2026-11-16') as string,
    advice: expect.stringContaining('lilac admin certificates resume') as string,
  });
});

const configOf = (appsDomain: string) => ({
  publicUrl: new URL('https://lilac.example.org'),
  appsDomain,
  domains: { publicAddresses: null, dnsServers: null, dnsHook: null },
});

describe('the root of local names', () => {
  const config = configOf('apps.example.org');

  it('is told, so that it can be compared with the one that is trusted', () => {
    expect(judgeRoot(config, undefined).status).toBe('ok');
    const root = createLocalAuthority(new Date('2026-11-15T12:00:00Z'), permittedNamesOf(config));
    expect(judgeRoot(config, root)).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/^made on 2026-11-15, SHA-256 (?:[0-9A-F]{2}:){7}[0-9A-F]{2}…$/) as string,
    });
  });

  it('is to be made anew where it is for other names', () => {
    const root = createLocalAuthority(new Date(), permittedNamesOf(config));
    expect(judgeRoot(configOf('apps.example.com'), root).status).toBe('warn');
  });
});
