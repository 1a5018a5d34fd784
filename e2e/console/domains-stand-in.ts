import type { Page, Route } from 'playwright-core';
import { noDomain } from '../../contract/src/domain-steps.ts';
import type { OutputOf } from '../../contract/src/endpoint.ts';
import type { Endpoints } from '../../contract/src/endpoints.ts';

export type DomainState = OutputOf<Endpoints['environments.check-domain']>;

const token = 'lilac-verify=Zk3v0pQb7fT1uWm9cXn2aYd5eRs8hGj4LqKoViB6tEw';

const environmentsOf: Record<string, string[]> = {
  app_shop: ['production', 'preview', 'staging'],
  app_blog: ['production', 'preview'],
  app_api: ['production'],
};

const states: Record<string, DomainState> = {
  env_shop_production: stateOf('www.example.org', { dns_verified: true, certificate_status: 'issued' }),
  env_shop_staging: stateOf('staging.example.org', {
    dns_verified: false,
    certificate_status: 'provisioning',
    error:
      'No CNAME record was found at staging.example.org yet. Create it where the DNS of example.org is kept; ' +
      'Lilac looks again by itself.',
  }),
  env_shop_preview: stateOf('preview.example.org', {
    certificate_status: 'provisioning',
    records: [],
    error:
      'This platform does not know by which address the world reaches it. Its operator has to set ' +
      'LILAC_PUBLIC_ADDRESSES, or LILAC_APPS_DOMAIN to a domain that leads here.',
  }),
  env_blog_production: stateOf('*.blog.example.org', {
    dns_verified: true,
    certificate_status: 'provisioning',
    records: [
      { type: 'CNAME', name: '*.blog.example.org', value: 'blog.apps.example.net' },
      { type: 'TXT', name: '_lilac-verify.blog.example.org', value: token },
    ],
  }),
  env_blog_preview: stateOf('example.com', {
    dns_verified: true,
    certificate_status: 'failed',
    error:
      'The certificate authority refused: it could not reach http://example.com/.well-known/acme-challenge/ ' +
      '(connection refused). Open port 80 of this platform to the world. The next attempt is due in 5 minutes.',
    records: [
      { type: 'A', name: 'example.com', value: '192.0.2.10' },
      { type: 'AAAA', name: 'example.com', value: '2001:db8::10' },
    ],
  }),
  env_api_production: stateOf('api.example.org', {
    dns_verified: true,
    certificate_status: 'renewing',
    error: 'The certificate ends on 21 November and could not be renewed: the authority does not answer.',
  }),
};

/** Answers in the platform's place what the page of domains asks. Resolves to how to undo it. */
export async function standInForDomains(page: Page): Promise<() => Promise<void>> {
  const answers: [string, (route: Route) => unknown][] = [
    ['**/api/applications', () => pageOf(Object.keys(environmentsOf))],
    ['**/api/environments', (route) => environments(bodyOf(route).applicationId!)],
    ['**/api/environments/check-domain', (route) => states[bodyOf(route).environmentId!] ?? noDomain],
    ['**/api/applications/domain-warnings', () => [warning]],
  ];
  for (const [path, answer] of answers) {
    await page.route(path, (route) => route.fulfill({ json: answer(route) }));
  }
  return async () => {
    for (const [path] of answers) await page.unroute(path);
  };
}

const warning = {
  application_id: 'app_api',
  environment_id: 'env_api_production',
  subject: 'api / production',
  domain: 'api.example.org',
  problem: 'certificate_expiring',
};

function bodyOf(route: Route): { applicationId?: string; environmentId?: string } {
  return route.request().postDataJSON() as { applicationId?: string; environmentId?: string };
}

function stateOf(domain: string, state: Partial<DomainState>): DomainState {
  const name = domain.split('.')[0];
  return {
    domain,
    dns_verified: false,
    dns_status: state.dns_verified ? 'found' : 'missing',
    certificate_status: 'none',
    records: [{ type: 'CNAME', name: domain, value: `${name}.apps.example.net` }],
    error: null,
    url: `https://${domain}`,
    auto_subdomain: true,
    ...state,
  };
}

function pageOf(ids: string[]) {
  const items = ids.map((id) => ({
    id,
    name: id.replace('app_', ''),
    status: 'healthy',
    framework: 'nextjs',
    url: `https://${id.replace('app_', '')}.apps.example.net`,
    updated_at: new Date().toISOString(),
  }));
  return { items, totalItems: items.length, totalPages: 1, currentPage: 1 };
}

function environments(applicationId: string) {
  const application = applicationId.replace('app_', '');
  return environmentsOf[applicationId]!.map((name) => {
    const id = `env_${application}_${name}`;
    const host = name === 'production' ? application : `${name}-${application}`;
    return { id, name, url: `https://${host}.apps.example.net`, custom_domain: states[id]?.domain ?? null };
  });
}
