import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../lib/exec.ts';
import { startGitHost, type GitHost } from '../../testing/git-host.ts';
import type { Repository } from './repository.ts';
import { createGitSubject } from './testing/git-subject.ts';

describe('a host that redirects', () => {
  it('to another name of the same account is followed, as for a repository that was renamed', async () => {
    await using host = await startGitHost();
    using subject = createGitSubject(host);
    const sha = await host.createRepository('acme/new', { 'a.txt': 'a', 'package.json': '{}' });
    host.redirect('/acme/old.git/', '/acme/new.git/');
    const repository = subject.repository('acme/old');
    expect(await subject.sources.headOf(repository, 'main')).toBe(sha);
    expect((await subject.checkOut(repository)).files['a.txt']).toBe('a');
    await using tree = await subject.sources.openTree(repository, 'main');
    expect(await tree.read('package.json')).toBe('{}');
  });

  it('to another account is refused, with the new address; nothing is read there', async () => {
    await using host = await startGitHost();
    using subject = createGitSubject(host);
    await host.createRepository('carol/site', { 'a.txt': 'theirs' });
    host.redirect('/acme/site.git/', '/carol/site.git/');
    const moved = {
      code: 'VA003',
      message: expect.stringMatching(
        /has moved to another account, as \S+carol\/site\.git, .*--vcs-repo-url/,
      ) as string,
    };
    await expect(subject.sources.headOf(subject.repository('acme/site'), 'main')).rejects.toMatchObject(moved);
    await expect(subject.checkOut('acme/site')).rejects.toMatchObject(moved);
    expect(host.requests.filter(({ url }) => url.startsWith('/carol/'))).toEqual([]);
  });

  it('to another host is refused, with the new address; the other host hears nothing', async () => {
    await using host = await startGitHost();
    await using other = await startGitHost();
    using subject = createGitSubject(host);
    await other.createRepository('acme/site', { 'a.txt': 'a' });
    host.redirect('/acme/', `${other.url}/acme/`);
    const repository = { ...subject.repository('acme/site'), credential: { username: 'u', password: 'p' } };
    const message = `The repository redirects to another host (${other.url}), which is not followed. Give its address there.`;
    await expect(subject.sources.headOf(repository, 'main')).rejects.toMatchObject({ code: 'VA003', message });
    await expect(subject.checkOut(repository)).rejects.toMatchObject({ code: 'VA003', message });
    expect(other.requests).toEqual([]);
  });

  it.each(['/acme/site/login', 'file:///etc/passwd', 'ext::sh -c id', ''])('to %j is refused', async (location) => {
    await using host = await startGitHost();
    using subject = createGitSubject(host);
    host.intercept((_, response) => {
      response.writeHead(302, { location }).end();
      return true;
    });
    await expect(subject.checkOut('acme/site')).rejects.toMatchObject({ code: 'VA003' });
  });

  it('in a circle is refused', async () => {
    await using host = await startGitHost();
    using subject = createGitSubject(host);
    host.redirect('/a/b.git/', '/a/c.git/');
    host.redirect('/a/c.git/', '/a/b.git/');
    await expect(subject.checkOut('a/b')).rejects.toMatchObject({
      code: 'VA003',
      message: expect.stringContaining('more than once') as string,
    });
  });
});

describe('an address that the operator did not name', () => {
  it.each([
    'https://127.0.0.1:<port>/a/b',
    'https://localhost:<port>/a/b',
    'https://[::1]:<port>/a/b',
    'https://[::ffff:127.0.0.1]:<port>/a/b',
    'https://2130706433:<port>/a/b',
    'https://10.1.2.3/a/b',
    'https://169.254.169.254/latest/meta-data',
    'https://rebound.test/a/b',
  ])('%s is refused: it is private', async (address) => {
    await using host = await startGitHost();
    await using other = await startGitHost();
    using subject = createGitSubject(host, { resolve: resolvePrivately });
    const url = address.replace('<port>', new URL(other.url).port);
    const repository = { ...subject.repository('a/b'), url };
    const refusal = { code: 'VA003', message: expect.stringContaining('private address') as string };
    await expect(subject.sources.headOf(repository, 'main')).rejects.toMatchObject(refusal);
    await expect(subject.checkOut(repository)).rejects.toMatchObject(refusal);
    expect(other.requests).toEqual([]);
  });

  it.each([
    'http://example.org/a/b',
    'file:///etc',
    '/etc',
    '../x',
    'ssh://git@127.0.0.1/a/b',
    'git@127.0.0.1:a/b',
    'git://127.0.0.1/a/b',
    'ftp://127.0.0.1/a/b',
    'ext::sh -c "touch <witness>"',
    'fd::7/x',
    '--upload-pack=touch <witness>',
    '-upload-pack=touch <witness>',
    'https://user:password@example.org/a/b',
  ])('%s is refused whatever it asks for', async (address) => {
    await using host = await startGitHost();
    using subject = createGitSubject(host);
    const witness = join(subject.folder, 'executed');
    const repository: Repository = { ...subject.repository('a/b'), url: address.replace('<witness>', witness) };
    await expect(subject.sources.listBranches(repository)).rejects.toMatchObject({ code: 'VA003' });
    await expect(subject.checkOut(repository)).rejects.toMatchObject({ code: 'VA003' });
    expect(existsSync(witness)).toBe(false);
    expect(host.requests).toEqual([]);
  });

  it('is reached at the very address that was looked at, when the operator allows its range', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lilac-git-tls-'));
    try {
      const tls = await makeCertificate(folder, 'git.example.test');
      await using host = await startGitHost({ tls });
      await host.createRepository('acme/site', { 'a.txt': 'over TLS' });
      let asked = 0;
      // A name server that gives another answer when it is asked again.
      const resolve = () => Promise.resolve((asked += 1) === 1 ? ['127.0.0.1'] : ['10.9.9.9']);
      const environment = { LILAC_VCS_PRIVATE_ADDRESSES: '127.0.0.0/8', SSL_CERT_FILE: join(folder, 'cert.pem') };
      using subject = createGitSubject({ url: 'https://configured.test' }, { environment, resolve });
      const url = `https://git.example.test:${new URL(host.url).port}/acme/site.git`;
      const repository = { ...subject.repository('acme/site'), url };
      expect((await subject.checkOut(repository)).files).toEqual({ 'a.txt': 'over TLS' });
      await expect(subject.checkOut(repository)).rejects.toMatchObject({ code: 'VA003' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('a host that only serves files', () => {
  it('is refused: git would walk it by itself', async () => {
    await using host = await startGitHost();
    using subject = createGitSubject(host);
    const sha = await host.createRepository('dumb/site', { 'package.json': '{}', 'a.txt': 'a' });
    await using tree = await subject.sources.openTree(subject.repository('dumb/site'), 'main');
    await serveFilesOnly(host, 'dumb/site');
    expect(await subject.sources.headOf(subject.repository('dumb/site'), 'main')).toBe(sha);
    const refusal = { code: 'VA003', message: expect.stringContaining("git's smart protocol") as string };
    await expect(subject.checkOut('dumb/site')).rejects.toMatchObject(refusal);
    await expect(tree.read('a.txt')).rejects.toMatchObject(refusal);
  });

  it('cannot send us to another host for its objects', async () => {
    await using host = await startGitHost();
    await using other = await startGitHost();
    using subject = createGitSubject(host);
    await host.createRepository('dumb/site', { 'a.txt': 'a' });
    await other.createRepository('dumb/site', { 'a.txt': 'a' });
    await serveFilesOnly(host, 'dumb/site');
    await serveFilesOnly(other, 'dumb/site');
    const objects = join(host.folderOf('dumb/site'), 'objects');
    rmSync(join(objects, 'pack'), { recursive: true, force: true });
    for (const name of ['http-alternates', 'alternates']) {
      writeFileSync(join(objects, 'info', name), `${other.url}/dumb/site.git/objects\n`);
    }
    await expect(subject.checkOut('dumb/site')).rejects.toMatchObject({ code: 'VA003' });
    expect(other.requests).toEqual([]);
  });
});

/** One of its addresses is public, which must not help. */
function resolvePrivately(name: string): Promise<string[]> {
  return Promise.resolve(name === 'rebound.test' ? ['8.8.8.8', '192.168.0.1'] : ['127.0.0.1']);
}

/** The old protocol: plain files, which git walks by itself. */
async function serveFilesOnly(host: GitHost, name: string): Promise<void> {
  await host.git(name, ['update-server-info']);
  host.intercept((request, response) => {
    const path = new URL(request.url ?? '/', host.url).pathname.replace(`/${name}.git/`, '');
    const file = join(host.folderOf(name), path);
    if (existsSync(file)) response.writeHead(200, { 'content-type': 'text/plain' }).end(readFileSync(file));
    else response.writeHead(404).end();
    return true;
  });
}

async function makeCertificate(folder: string, name: string): Promise<{ key: string; cert: string }> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const options = ['-nodes', '-days', '2', '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const argv = ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', ...options] as const;
  const { exitCode, stderr } = await run([...argv, '-keyout', key, '-out', cert], { env: { PATH: '/usr/bin:/bin' } });
  if (exitCode !== 0) throw new Error(stderr);
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}
