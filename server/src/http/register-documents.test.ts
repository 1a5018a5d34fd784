import { openApiDocument } from '@lilac/contract/openapi';
import { endpointNames } from '@lilac/contract/endpoints';
import { customFetch, discovery, None } from 'openid-client';
import { describe, expect, it } from 'vitest';
import { startApi } from '../testing/harness.ts';

describe('GET /api/openapi.json', () => {
  it('answers the document of this very contract', async () => {
    await using api = await startApi();
    const answer = await api.call('/api/openapi.json', { method: 'GET' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(openApiDocument());
  });
});

describe('GET /docs', () => {
  it('shows every endpoint, and asks nobody for anything', async () => {
    await using api = await startApi();
    const { status, text, headers } = await api.call('/docs', { method: 'GET' });
    expect(status).toBe(200);
    for (const name of endpointNames) expect(text).toContain(`<article id="${name}">`);
    expect(text).not.toMatch(/<script|<img|<link|src=|@import|url\(|style="/);
    expect([...text.matchAll(/href="([^"#][^"]*)"/g)].map(([, href]) => href)).toEqual(['/api/openapi.json']);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*';/);
  });

  it('is found with a slash behind it too', async () => {
    await using api = await startApi();
    const { status, headers } = await api.call('/docs/', { method: 'GET' });
    expect([status, headers['location']]).toEqual([308, '/docs']);
  });

  it('shows examples that call this very platform, wherever it is', async () => {
    await using api = await startApi({ config: { publicUrl: new URL('https://lilac.example.org:8443/') } });
    const { text } = await api.call('/docs', { method: 'GET' });
    expect(text).toContain('export LILAC_API_URL=https://lilac.example.org:8443 ');
    expect(text).not.toContain('localhost:7080');
  });

  it('leads from the navigation to every section', async () => {
    await using api = await startApi();
    const { text } = await api.call('/docs', { method: 'GET' });
    const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
    expect(targets.length).toBeGreaterThan(endpointNames.length);
    for (const id of targets) expect(text).toContain(`id="${id}"`);
  });
});

describe('GET /.well-known/oauth-authorization-server', () => {
  it('lets a standard OAuth client find the device flow', async () => {
    await using api = await startApi({ config: { publicUrl: new URL('https://lilac.example.org') } });
    const fetch = async (url: string) => {
      const { status, text } = await api.call(new URL(url).pathname, { method: 'GET' });
      return new Response(text, { status, headers: { 'content-type': 'application/json' } });
    };
    const options = { algorithm: 'oauth2', [customFetch]: fetch } as const;
    const found = await discovery(new URL('https://lilac.example.org'), 'a client', undefined, None(), options);
    expect(found.serverMetadata()).toMatchObject({
      issuer: 'https://lilac.example.org',
      device_authorization_endpoint: 'https://lilac.example.org/api/auth/device/code',
      token_endpoint: 'https://lilac.example.org/api/auth/device/token',
    });
  });
});
