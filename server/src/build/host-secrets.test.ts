import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { hostSecrets } from './host-secrets.ts';
import { createRedactor } from './redact.ts';

const redactorFor = (environment: Record<string, string>) =>
  createRedactor(hostSecrets(readConfig(environment).builds.hostVariables));

describe("the platform's own variables in a build log", () => {
  it('are struck out where the operator named them and they could be secret', () => {
    const redact = redactorFor({
      LILAC_BUILD_ENV: 'REGISTRY_TOKEN,NPM_CONFIG_REGISTRY',
      REGISTRY_TOKEN: 'tok-9f8e7d6c',
      NPM_CONFIG_REGISTRY: 'https://registry.example.org/npm',
    });
    expect(redact('//registry/:_authToken=tok-9f8e7d6c')).toBe('//registry/:_authToken=[redacted]');
    expect(redact('from https://registry.example.org/npm')).toBe('from https://registry.example.org/npm');
  });

  it('are struck out where they say who the machine is to its proxy, in every form', () => {
    const redact = redactorFor({ HTTPS_PROXY: 'http://builder:p%40ss-w0rd@proxy.example:3128' });
    expect(redact('via http://builder:p%40ss-w0rd@proxy.example:3128')).toBe(
      'via http://[redacted]@proxy.example:3128',
    );
    expect(redact('builder:p@ss-w0rd and p@ss-w0rd')).toBe('[redacted] and [redacted]');
    const basic = Buffer.from('builder:p@ss-w0rd').toString('base64');
    expect(redact(`Proxy-Authorization: Basic ${basic}`)).toBe('Proxy-Authorization: Basic [redacted]');
  });

  it('are left where they are no secret: proxies without a password, exceptions, certificates', () => {
    const redact = redactorFor({
      HTTP_PROXY: 'http://proxy.example:3128',
      NO_PROXY: 'localhost,127.0.0.1,.example.org',
      SSL_CERT_FILE: '/etc/own/bundle.pem',
    });
    const line = 'http://proxy.example:3128 localhost,127.0.0.1,.example.org /etc/own/bundle.pem';
    expect(redact(line)).toBe(line);
  });
});
