import { describe, expect, it } from 'vitest';
import { instanceEnvironment } from './instance-environment.ts';
import type { Subject } from './subject.ts';

function subjectWith(variables: Record<string, string>, commitSha: string | null = 'c0ffee'): Subject {
  const run = {
    startCommand: 'node .',
    workDirectory: '',
    port: 8080,
    isPortKnown: true,
    tools: {},
    variables: { NODE_ENV: 'staging', FRAMEWORK: 'yes' },
    memoryMb: 512,
    cpus: 1,
    concurrency: 80,
    cpuTarget: 80,
  };
  return {
    organisationId: 'org_1',
    environment: { id: 'env_1', name: 'production' },
    application: { name: 'Shop' },
    url: 'https://shop.example.org',
    deployment: {
      id: 'dep_1',
      run,
      variables,
      databaseLinks: {},
      slug: { artifactId: 'art_1', hash: '00' },
      commitSha,
      branch: commitSha && 'main',
    },
  };
}

describe('the environment of an instance', () => {
  it('has what the platform says, what the framework wants, and the own variables byte for byte', () => {
    const odd = { QUOTES: '"$x" \'\\n\'', LINES: 'a\nb\r\n', EMPTY: '', UNICODE: '𝕊\u0001' };
    expect(instanceEnvironment(subjectWith(odd), 'ins_1')).toEqual({
      ...odd,
      HOST: '0.0.0.0',
      LANG: 'C.UTF-8',
      TMPDIR: '/tmp',
      NODE_ENV: 'staging',
      FRAMEWORK: 'yes',
      LILAC_ENVIRONMENT: 'production',
      LILAC_ENVIRONMENT_ID: 'env_1',
      LILAC_APPLICATION: 'Shop',
      LILAC_URL: 'https://shop.example.org',
      LILAC_DEPLOYMENT_ID: 'dep_1',
      LILAC_INSTANCE_ID: 'ins_1',
      LILAC_COMMIT_SHA: 'c0ffee',
      LILAC_BRANCH: 'main',
    });
  });

  it('lets the own variables win but where the platform must know', () => {
    const own = {
      NODE_ENV: 'test',
      HOST: '::',
      LANG: 'de',
      PORT: '1',
      PATH: '/evil',
      HOME: '/',
      LILAC_URL: 'x',
      LILAC_OTHER: 'y',
    };
    const environment = instanceEnvironment(subjectWith(own), 'ins_1');
    expect(environment).toMatchObject({
      NODE_ENV: 'test',
      HOST: '::',
      LANG: 'de',
      LILAC_URL: 'https://shop.example.org',
    });
    for (const name of ['PORT', 'PATH', 'HOME', 'LILAC_OTHER']) expect(environment).not.toHaveProperty(name);
  });

  it('has where it is asked whether it is well, as it was set', () => {
    const own = { LILAC_HEALTH_PATH: '/ready' };
    expect(instanceEnvironment(subjectWith(own), 'ins_1')).toMatchObject(own);
  });

  it('says nothing of a commit where there is none', () => {
    const names = Object.keys(instanceEnvironment(subjectWith({}, null), 'ins_1'));
    expect(names.filter((name) => /COMMIT|BRANCH/.test(name))).toEqual([]);
  });
});
