import { declarationOf } from '@lilac/contract/endpoints';
import { openApiDocument } from '@lilac/contract/openapi';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { referencePage } from './reference-page.ts';

/** What describes the API: for programs, for people, and for OAuth clients. */
export function registerDocuments(app: FastifyInstance, { publicUrl }: Pick<Config, 'publicUrl'>): void {
  const openApi = once(() => JSON.stringify(openApiDocument()));
  const page = once(() => referencePage(publicUrl));
  const metadata = JSON.stringify(oauthMetadata(publicUrl));
  app.get('/api/openapi.json', { config: { isDocument: true } }, (_request, reply) => {
    void reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(openApi());
  });
  app.get('/.well-known/oauth-authorization-server', (_request, reply) => {
    void reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(metadata);
  });
  app.get('/docs', (_request, reply) => {
    const { html, contentSecurityPolicy } = page();
    const headers = { 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-cache' };
    void reply.type('text/html; charset=utf-8').headers(headers).send(html);
  });
  app.get('/docs/', (_request, reply) => void reply.redirect('/docs', 308));
}

/** RFC 8414, so that a standard client finds the device flow (RFC 8628) by itself. */
function oauthMetadata({ origin }: URL): Record<string, unknown> {
  return {
    issuer: origin,
    device_authorization_endpoint: origin + declarationOf('auth.device.code').path,
    token_endpoint: origin + declarationOf('auth.device.token').path,
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
    service_documentation: `${origin}/docs`,
  };
}

/** They take a while to write, and a start should not wait for what is seldom read. */
function once<T>(write: () => T): () => T {
  let written: { value: T } | undefined;
  return () => (written ??= { value: write() }).value;
}
