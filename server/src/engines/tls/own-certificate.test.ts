import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { ensureCertificate } from './own-certificate.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'tls');
}

const names = ['db.example.com', '127.0.0.1', '::1', 'fd00:0:0:1::a2', '::ffff:10.0.0.1'];

it('a client that was given the certificate trusts the server by each of its names', async () => {
  const files = await ensureCertificate(makeFolder(), names);
  const [cert, key] = [readFileSync(files.certificate), readFileSync(files.key)];
  const server = createServer({ cert, key }, (socket) => socket.end('hello')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (servername: string) => {
    const socket = connect({ port, host: '127.0.0.1', ca: cert, servername });
    const [said] = await once(socket, 'data');
    return String(said);
  };
  expect(await ask('db.example.com')).toBe('hello');
  await expect(ask('other.example.com')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  const certificate = new X509Certificate(cert);
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(certificate.checkIP('::1')).toBe('::1');
  expect(certificate.checkIP('fd00::1:0:0:0:a2')).toBeDefined();
  expect(certificate.checkIP('fd00::2')).toBeUndefined();
  expect(certificate.subjectAltName).toContain('IP Address:0:0:0:0:0:FFFF:A00:1');
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
  expect(certificate.validToDate.getUTCFullYear() - certificate.validFromDate.getUTCFullYear()).toBe(10);
});

it('is made once, the key for nobody else to read', async () => {
  const folder = makeFolder();
  const files = await ensureCertificate(folder, names);
  const before = readFileSync(files.certificate, 'utf8');
  expect(statSync(files.key).mode & 0o777).toBe(0o600);
  await ensureCertificate(folder, ['elsewhere.example.com']);
  expect(readFileSync(files.certificate, 'utf8')).toBe(before);
});

it('is made anew where one half is missing, broken or of another pair', async () => {
  const folder = makeFolder();
  const files = await ensureCertificate(folder, names);
  const other = await ensureCertificate(makeFolder(), names);
  const certificates = new Set([readFileSync(files.certificate, 'utf8')]);
  for (const harm of [
    () => rmSync(files.certificate),
    () => rmSync(files.key),
    () => writeFileSync(files.key, readFileSync(other.key)),
    () => writeFileSync(files.certificate, 'not a certificate'),
  ]) {
    harm();
    await ensureCertificate(folder, names);
    const certificate = readFileSync(files.certificate, 'utf8');
    expect(new X509Certificate(certificate).subject).toBe('CN=db.example.com');
    certificates.add(certificate);
  }
  expect(certificates.size).toBe(5);
});
