import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../lib/exec.ts';
import { APP, DOMAIN, LARGE, startSecureEdge } from './testing/start-secure-edge.ts';
import { root } from './testing/test-names.ts';

const env = { PATH: process.env.PATH };
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-tls-'));
  writeFileSync(join(folder, 'root.pem'), root);
  writeFileSync(join(folder, 'large.bin'), LARGE);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Edge = Awaited<ReturnType<typeof startSecureEdge>>;

/** What it says, and then by which version it was answered, and with which status. */
async function curl({ tlsPort }: Edge, host: string, ...options: string[]): Promise<string> {
  const to = ['--cacert', 'root.pem', '--connect-to', `::127.0.0.1:${tlsPort}`, '-w', ' %{http_version} %{http_code}'];
  const { stdout } = await run(['curl', '-sS', '--max-time', '30', ...to, ...options, `https://${host}/`], {
    env,
    cwd: makeFolder(),
  });
  return stdout;
}

const shake = async ({ tlsPort }: Edge, ...options: string[]) => {
  const argv = ['openssl', 's_client', '-connect', `127.0.0.1:${tlsPort}`, '-CAfile', 'root.pem', ...options] as const;
  const { stdout, stderr } = await run(argv, { env, cwd: makeFolder() });
  return stdout + stderr;
};

describe('curl', () => {
  it.each([
    ['--http2', '2'],
    ['--http1.1', '1.1'],
    ['--tls-max 1.2', '2'],
  ])('believes the certificate, and gets a page: %s', async (option, version) => {
    const edge = await startSecureEdge();
    expect(await curl(edge, DOMAIN, ...option.split(' '))).toBe(`home ${version} 200`);
    expect(await curl(edge, DOMAIN, '-I', ...option.split(' '))).toMatch(
      new RegExp(`HTTP/${version} 200[^]*${version} 200$`),
    );
  });

  it.each(['--http2', '--http1.1'])('sends large bodies, and is told when they are not wanted: %s', async (option) => {
    const edge = await startSecureEdge((request, response) => {
      if (request.headers.expect !== undefined) response.writeContinue();
      const hash = createHash('sha256');
      request.on('data', (bytes: Buffer) => hash.update(bytes));
      request.once('end', () => response.end(hash.digest('hex')));
      if (request.headers['x-refuse']) response.writeHead(413).end('too large');
    });
    const sent = await curl(edge, 'lilac.test', option, '--data-binary', '@large.bin');
    expect(sent).toMatch(new RegExp(`^${hashOf(LARGE)} .* 200$`));
    const refused = await curl(edge, 'lilac.test', option, '--data-binary', '@large.bin', '-H', 'X-Refuse: yes');
    expect(refused).toMatch(/^too large .* 413$/);
  });
});

describe('openssl', () => {
  it('verifies the chain, and takes sessions up again', async () => {
    const edge = await startSecureEdge();
    const shown = await shake(edge, '-servername', APP, '-verify_hostname', APP, '-verify_return_error');
    expect(shown).toContain('Verify return code: 0 (ok)');
    const again = await shake(edge, '-servername', APP, '-tls1_2', '-reconnect');
    expect(again.match(/^Reused, TLSv1.2/gm)).toHaveLength(5);
  });

  it.each([
    ['-tls1_2', []],
    ['-tls1_3', []],
    // By an id in place of a ticket: there is nothing to remember it by here.
    ['-tls1_2', ['-no_ticket']],
    ['-tls1_3', ['-alpn', 'h2']],
  ])('is refused by a name that was taken away, whatever it remembers of it (%s %s)', async (version, options) => {
    const edge = await startSecureEdge();
    const folder = makeFolder();
    const how = ['-servername', DOMAIN, version, ...options];
    const resume = async () => {
      const argv = ['openssl', 's_client', '-connect', `127.0.0.1:${edge.tlsPort}`, '-CAfile', 'root.pem'] as const;
      const { stdout, stderr } = await run([...argv, ...how, '-sess_in', 'session.pem'], { env, cwd: folder });
      return stdout + stderr;
    };
    const request = `GET / HTTP/1.1\\r\\nHost: ${DOMAIN}\\r\\nConnection: close\\r\\n\\r\\n`;
    const first = `printf '${request}' | openssl s_client -ign_eof -connect 127.0.0.1:${edge.tlsPort}`;
    await run(['sh', '-c', `${first} ${how.join(' ')} -sess_out session.pem`], { env, cwd: folder });
    expect(await resume()).toMatch(options.includes('-no_ticket') ? /^New, /m : /^Reused, /m);
    edge.publish({ domain: null });
    edge.names.contexts.delete(DOMAIN);
    const refused = await resume();
    expect(refused).toContain('unrecognized name');
    expect(refused).not.toMatch(/^Reused, TLS/m);
  });

  it('is refused with old protocols', async () => {
    const edge = await startSecureEdge();
    expect(await shake(edge, '-servername', APP, '-tls1_1', '-cipher', 'ALL:@SECLEVEL=0')).toMatch(
      /alert|no protocols/,
    );
  });
});
