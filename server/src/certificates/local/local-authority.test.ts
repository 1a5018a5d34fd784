import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../lib/exec.ts';
import { addressBytes } from './address-bytes.ts';
import { createLocalAuthority, openLocalAuthority } from './local-authority.ts';

const permitted = { names: ['localhost', 'apps.example.org'], addresses: ['127.0.0.0/8', '::1', '2001:db8::/33'] };
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** What another implementation says, as strict as it can be. */
async function verify(chain: string, root: string, check: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-leaf-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'leaf.pem'), chain);
  writeFileSync(join(folder, 'root.pem'), root);
  const argv = ['openssl', 'verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', 'root.pem'] as const;
  const { stdout, stderr } = await run([...argv, ...check, 'leaf.pem'], { cwd: folder, env: process.env });
  return stdout + stderr;
}

describe('the local authority', () => {
  it('signs what OpenSSL takes for valid, for its names and addresses and no others', async () => {
    const authority = openLocalAuthority(createLocalAuthority(new Date(), permitted));
    const names = ['shop.localhost', 'localhost', '127.0.0.1', '::1', '2001:db8::7:0:1', `${'x'.repeat(63)}.localhost`];
    const { chain } = authority.sign(names, publicKey, new Date());
    for (const name of names) {
      const how = addressBytes(name) ? '-verify_ip' : '-verify_hostname';
      const said = await verify(chain, authority.certificate, [how, name]);
      expect({ name, said }).toEqual({ name, said: 'leaf.pem: OK\n' });
    }
    const other = await verify(chain, authority.certificate, ['-verify_hostname', 'blog.localhost']);
    expect(other).toContain('hostname mismatch');
    const later = Math.floor(Date.now() / 1000) + 61 * 86_400;
    expect(await verify(chain, authority.certificate, ['-attime', String(later)])).toContain('has expired');
  });

  it.each([
    ['another name', 'localhost', 'www.example.org'],
    ['a name that ends alike', 'localhost', 'notlocalhost'],
    ['a name above', 'shop.apps.example.org', 'example.org'],
    ['another address', '127.9.8.7', '10.0.0.1'],
    ['an address beyond a range', '2001:db8:7fff::1', '2001:db8:8000::1'],
  ])('is believed by nobody for %s', async (_what, own, other) => {
    const authority = openLocalAuthority(createLocalAuthority(new Date(), permitted));
    const signed = async (name: string) => {
      const { chain } = authority.sign([name], publicKey, new Date());
      return verify(chain, authority.certificate, []);
    };
    expect(await signed(own)).toBe('leaf.pem: OK\n');
    expect(await signed(other)).toContain('permitted subtree violation');
  });

  it('is an authority and no server, has a name of its own, and vouches for its own alone', async () => {
    const [one, two] = [createLocalAuthority(new Date(), permitted), createLocalAuthority(new Date(), permitted)];
    const certificate = new X509Certificate(one.certificate);
    expect(certificate.ca).toBe(true);
    expect(certificate.validToDate).toEqual(new Date(Math.floor(one.notAfter.getTime() / 1000) * 1000));
    expect(await verify(one.certificate, one.certificate, [])).toContain('unsuitable certificate purpose');
    expect(certificate.subject).not.toBe(new X509Certificate(two.certificate).subject);
    const { chain } = openLocalAuthority(one).sign(['localhost'], publicKey, new Date());
    expect(await verify(chain, two.certificate, [])).toContain('unable to get local issuer certificate');
  });

  it('writes times before and after 2050 as they are to be written', () => {
    for (const year of [2026, 2039, 2041, 2060]) {
      const now = new Date(Date.UTC(year, 1, 3, 4, 5, 6));
      const { certificate, notAfter } = createLocalAuthority(now, permitted);
      const { validFromDate, validToDate } = new X509Certificate(certificate);
      expect([validFromDate, validToDate]).toEqual([new Date(now.getTime() - 86_400_000), notAfter]);
    }
  });
});

describe('the bytes of an address', () => {
  it('are those that it stands for', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const groups = addressBytes(address)!.toString('hex').match(/.{4}/g)!;
        expect(new URL(`http://[${groups.join(':')}]`).host).toBe(new URL(`http://[${address}]`).host);
      }),
    );
    expect(addressBytes('192.0.2.255')).toEqual(Buffer.from([192, 0, 2, 255]));
    for (const none of ['shop.localhost', '192.0.2', 'fe80::1%eth0', '']) expect(addressBytes(none)).toBeNull();
  });
});
