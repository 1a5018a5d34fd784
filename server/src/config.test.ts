import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError, readConfig, settings } from './config.ts';

describe('the settings', () => {
  it('all have a default that works', () => {
    expect(readConfig({})).toMatchObject({
      home: join(homedir(), '.lilac'),
      port: 7080,
      appsDomain: 'localhost',
      databaseUrl: null,
      rateLimit: 5000,
    });
    expect(readConfig({}).publicUrl.origin).toBe('http://localhost:7080');
  });

  it('take an empty value for none at all', () => {
    const empty = Object.fromEntries(settings.map(({ name }) => [name, ' ']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it('are read', () => {
    const config = readConfig({
      LILAC_HOME: '~/here',
      LILAC_PORT: '8000',
      LILAC_APPS_DOMAIN: 'Apps.Example.org',
      LILAC_ALLOWED_ORIGINS: 'https://a.example, https://b.example:444/',
      LILAC_FEATURE_FLAGS: 'provider2=off,data_explorer=on',
    });
    expect(config).toMatchObject({
      home: join(homedir(), 'here'),
      port: 8000,
      appsDomain: 'apps.example.org',
      allowedOrigins: ['https://a.example', 'https://b.example:444'],
      featureSwitches: { provider2: false, data_explorer: true },
    });
    expect(config.publicUrl.origin).toBe('http://localhost:8000');
  });

  it('tell the repository hosts that the operator named from defaults', () => {
    expect(readConfig({}).vcsTrusted).toEqual([]);
    const config = readConfig({ LILAC_VCS_URL: 'https://github.com', LILAC_PROVIDER3_URL: 'http://git.internal/' });
    expect(config.vcsTrusted).toEqual(['provider1', 'provider3']);
    expect(config.vcsUrls.provider2.origin).toBe('https://gitlab.com');
  });

  it.each(['postgresql://u:p@db.example:5433/lilac', 'postgres://u@/lilac?host=%2Frun%2Fpostgresql'])(
    'let the store be %s',
    (url) => {
      expect(readConfig({ LILAC_DATABASE_URL: url }).databaseUrl).toBe(url);
    },
  );

  it('let the address of the store come from a file, and from one place only', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lilac-config-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'url');
    writeFileSync(file, 'postgresql://u:p@db.example/lilac\n');
    const named = { LILAC_DATABASE_URL_FILE: file };
    expect(readConfig(named).databaseUrl).toBe('postgresql://u:p@db.example/lilac');
    expect(() => readConfig({ ...named, LILAC_DATABASE_URL: 'postgresql://a/b' })).toThrow('both set');
    writeFileSync(file, 'hunter2');
    expect(() => readConfig(named)).toThrow(/^(?=.*LILAC_DATABASE_URL_FILE)(?!.*hunter2)/);
    expect(() => readConfig({ LILAC_DATABASE_URL_FILE: `${file}-2` })).toThrow('cannot be read');
  });

  it('let nobody build Dockerfiles unless the operator says so', () => {
    expect(readConfig({}).runtime.dockerfiles).toBe('off');
    expect(readConfig({ LILAC_DOCKERFILES: 'on' }).runtime.dockerfiles).toBe('on');
  });

  it('let a worker lead both, one or nothing', () => {
    expect(readConfig({}).leads).toEqual(['instances', 'databases']);
    expect(readConfig({ LILAC_LEADS: 'databases' }).leads).toEqual(['databases']);
    expect(readConfig({ LILAC_LEADS: 'off' }).leads).toEqual([]);
  });

  it.each([
    ['LILAC_PORT', '0'],
    ['LILAC_PORT', '70000'],
    ['LILAC_PORT', '80a'],
    ['LILAC_HOME', `/${'long/'.repeat(20)}`],
    ['LILAC_PUBLIC_URL', 'lilac.example.org'],
    ['LILAC_PUBLIC_URL', 'https://example.org/path'],
    ['LILAC_APPS_DOMAIN', 'a b'],
    ['LILAC_APPS_DOMAIN', '-a.example'],
    ['LILAC_DATABASE_URL', 'mysql://a/b'],
    ['LILAC_ALLOWED_ORIGINS', 'example.org'],
    ['LILAC_FEATURE_FLAGS', 'warp_drive=on'],
    ['LILAC_FEATURE_FLAGS', 'provider2'],
    ['LILAC_EDGE_PROCESSES', '0'],
    ['LILAC_RATE_LIMIT', '-1'],
    ['LILAC_VCS_URL', 'git.example.org'],
    ['LILAC_VCS_PRIVATE_ADDRESSES', '10.0.0.0/8,git.example.org'],
    ['LILAC_VCS_PRIVATE_ADDRESSES', '10.0.0.0/33'],
    ['LILAC_LEADS', 'instances,everything'],
    ['LILAC_DOCKERFILES', 'yes'],
    ['LILAC_LOG_LEVEL', 'loud'],
    ['LILAC_METRICS_TOKEN', 'short'],
    ['LILAC_METRICS_TOKEN', 'long enough, with spaces'],
  ])('refuse %s=%s by name', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });

  it('never repeat a password in what they complain of', () => {
    expect(() => readConfig({ LILAC_DATABASE_URL: 'http://u:hunter2@h/d' })).toThrow(/^(?!.*hunter2)/);
    expect(() => readConfig({ LILAC_METRICS_TOKEN: 'hunter2' })).toThrow(/^(?!.*hunter2)/);
  });
});
