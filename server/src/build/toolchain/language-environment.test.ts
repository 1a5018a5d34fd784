import { describe, expect, it } from 'vitest';
import { languageEnvironment } from './language-environment.ts';
import type { Tool } from './tool.ts';

const tool = (name: string): Tool => ({
  name,
  title: name,
  version: '3.11.7',
  mounts: [],
  searchPath: ['/py/bin'],
  env: {},
});
const environment = (names: string[], hostVariables = {}) =>
  languageEnvironment({ tools: names.map(tool), root: '/home/app/web', hostVariables });

describe('what tools of languages find in a build', () => {
  it('is nothing of languages that are not there', () => {
    expect(environment(['node'])).toEqual({});
  });

  it('Python: packages go into the virtual environment, whichever tool installs them', () => {
    expect(environment(['python'])).toMatchObject({
      VIRTUAL_ENV: '/home/app/web/.venv',
      PIP_PYTHON: '/home/app/web/.venv/bin/python',
      LILAC_PYTHON: '/py/bin/python3.11',
      UV_PYTHON: '/py/bin/python3.11',
      UV_PYTHON_DOWNLOADS: 'never',
    });
  });

  it('downloads are kept in the store of the organisation', () => {
    const all = environment(['python', 'go', 'rust', 'java', 'php']);
    const kept = [
      'PIP_CACHE_DIR',
      'UV_CACHE_DIR',
      'GOPATH',
      'GOCACHE',
      'CARGO_HOME',
      'GRADLE_USER_HOME',
      'COMPOSER_CACHE_DIR',
    ];
    for (const name of kept) expect(`${name}=${all[name]}`).toMatch(/^\w+=\/home\/store\//);
    expect(all['MAVEN_OPTS']).toContain('-Dmaven.repo.local=/home/store/m2');
  });

  it('certificates and proxies of the machine reach tools that read no such variable', () => {
    const host = { SSL_CERT_FILE: '/etc/ssl/own.pem', HTTPS_PROXY: 'http://proxy.test:3128' };
    const all = environment(['rust', 'deno', 'java'], host);
    expect(all).toMatchObject({ CARGO_HTTP_CAINFO: '/etc/ssl/own.pem', DENO_CERT: '/etc/ssl/own.pem' });
    expect(all['MAVEN_OPTS']).toContain('-Dhttps.proxyHost=proxy.test -Dhttps.proxyPort=3128');
    expect(all['GRADLE_OPTS']).toContain('-Dhttps.proxyHost=proxy.test');
  });
});
