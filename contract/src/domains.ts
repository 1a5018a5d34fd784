import { z } from 'zod';
import { id, organisationFields } from './common-shapes.ts';
import { hostname } from './deploy-settings.ts';
import { endpoint, destroys, readOnly, writesIdempotently } from './endpoint.ts';
import { inOrganisation } from './scopes.ts';
import { certificateStatuses, dnsRecordTypes, dnsStatuses } from './states.ts';

const addressed = {
  ...inOrganisation,
  resource: {
    kind: 'environment',
    field: 'environmentId',
    or: { kind: 'application', field: 'applicationId' },
  },
} as const;
const ofEnvironment = { ...inOrganisation, resource: { kind: 'environment', field: 'environmentId' } } as const;

const addressFields = {
  ...organisationFields,
  applicationId: id.optional().meta({ description: 'its production environment is meant' }),
  environmentId: id.optional().meta({ description: 'in place of applicationId' }),
};

const domain = hostname.meta({
  description: 'a host name of your own, such as www.example.org, or *.example.org for all names below one',
});

/** How far a custom domain is. */
export const domainState = z.object({
  domain: z.string().nullable().meta({ description: 'null where there is none' }),
  dns_verified: z.boolean().meta({
    description: 'the domain is proved to be yours, and its visitors came here, when its records were last looked for',
  }),
  dns_status: z.enum(dnsStatuses).meta({
    description:
      'how it is with its records: unchecked while nobody could see them yet, missing, wrong where they lead elsewhere, ' +
      'found, or astray where they led here and do not any more',
  }),
  certificate_status: z.enum(certificateStatuses).meta({
    description:
      'none where there is no domain, or where the platform serves no https itself: a proxy in front of it has to',
  }),
  records: z
    .array(z.object({ type: z.enum(dnsRecordTypes), name: z.string(), value: z.string() }))
    .meta({ description: 'what to create where the DNS of the domain is kept' }),
  error: z.string().nullable().meta({ description: 'what is missing or went wrong, and what to do' }),
  url: z
    .string()
    .nullable()
    .meta({ description: 'its address, with the port where that is needed; null where it is none' }),
  auto_subdomain: z.boolean().meta({
    description:
      'whether the environment is reached at its generated address; false after revertToAutoSubdomain: false',
  }),
});

/** `lost`: another organisation has shown that it is theirs. */
export const domainProblems = ['astray', 'certificate_failed', 'certificate_expiring', 'lost'] as const;
export type DomainProblem = (typeof domainProblems)[number];

const domainWarning = z.object({
  application_id: id,
  environment_id: id,
  subject: z.string().meta({ description: 'the application and the environment, by name' }),
  domain: z.string(),
  problem: z.enum(domainProblems),
});

const add = {
  summary: 'Give an environment a domain of your own',
  description:
    'Answers at once with the DNS records to create. As soon as they are found a certificate is ordered, ' +
    'and the domain is served; ask check-domain how far it is.',
  permission: 'update:projects',
  output: domainState,
  mcp: writesIdempotently,
  errors: ['CF001'],
} as const;

const check = {
  summary: 'Look at the DNS records and the certificate of a domain',
  description: 'The records are looked up anew, though not more often than every few seconds.',
  permission: 'read:projects',
  output: domainState,
  mcp: readOnly,
} as const;

const retry = {
  summary: 'Try again at once what failed: to find the records, or to get the certificate',
  permission: 'update:projects',
  output: domainState,
  mcp: writesIdempotently,
  errors: ['CF001'],
} as const;

export const domains = {
  'applications.add-domain': endpoint({
    ...addressed,
    ...add,
    path: '/api/applications/add-domain',
    body: z.object({ ...addressFields, domain }),
    cli: ['domains', 'add'],
  }),
  'applications.check-domain': endpoint({
    ...addressed,
    ...check,
    path: '/api/applications/check-domain',
    body: z.object(addressFields),
    cli: ['domains', 'check'],
  }),
  'applications.update-domain': endpoint({
    ...addressed,
    path: '/api/applications/update-domain',
    summary: 'Replace the domain by another one',
    description: 'The old one stops at once.',
    permission: 'update:projects',
    body: z.object({ ...addressFields, newDomain: domain }),
    output: domainState,
    cli: ['domains', 'update'],
    mcp: writesIdempotently,
    errors: ['CF001'],
  }),
  'applications.retry-domain': endpoint({
    ...addressed,
    ...retry,
    path: '/api/applications/retry-domain',
    body: z.object(addressFields),
    cli: ['domains', 'retry'],
  }),
  'applications.remove-domain': endpoint({
    ...addressed,
    path: '/api/applications/remove-domain',
    summary: 'Take the domain away; it stops at once',
    permission: 'update:projects',
    body: z.object({
      ...addressFields,
      revertToAutoSubdomain: z.boolean().default(true).meta({
        description:
          'false: the generated address stops too, so that the environment is reached at none until it has a domain again',
      }),
    }),
    output: domainState,
    cli: ['domains', 'remove'],
    mcp: destroys,
    errors: ['CF001'],
  }),
  'applications.domain-warnings': endpoint({
    ...inOrganisation,
    path: '/api/applications/domain-warnings',
    summary: 'List the domains of the organisation with which something is amiss at this moment',
    description: 'At most a hundred. What to do about one is in the error of applications/check-domain.',
    permission: 'read:projects',
    body: z.object(organisationFields),
    output: z.array(domainWarning),
    cli: ['domains', 'warnings'],
    mcp: readOnly,
  }),
  'environments.add-domain': endpoint({
    ...ofEnvironment,
    ...add,
    path: '/api/environments/add-domain',
    body: z.object({ ...organisationFields, environmentId: id, domain }),
    cli: null,
  }),
  'environments.check-domain': endpoint({
    ...ofEnvironment,
    ...check,
    path: '/api/environments/check-domain',
    body: z.object({ ...organisationFields, environmentId: id }),
    cli: null,
  }),
  'environments.retry-domain': endpoint({
    ...ofEnvironment,
    ...retry,
    path: '/api/environments/retry-domain',
    body: z.object({ ...organisationFields, environmentId: id }),
    cli: null,
  }),
};
