import { z } from 'zod';
import { message, timestamp } from './common-shapes.ts';
import { destroys, endpoint, readOnly, writesIdempotently } from './endpoint.ts';
import { lastEventId } from './request-headers.ts';
import { asOf, partial } from './response-headers.ts';
import { gitProviders } from './states.ts';
import {
  attemptStatus,
  branchOfRepository,
  inferredOrganisation,
  leadsToHost,
  MAY_BE_OLD,
  MAY_BE_PARTIAL,
  organisationOfPath,
  organisationOfQuery,
  ofRepository,
  orgId,
  repositoryOfHost,
} from './vcs-shapes.ts';

const installation = z.object({
  installationId: z.int(),
  accountLogin: z.string(),
  accountType: z.enum(['user', 'organisation']),
  repositorySelection: z
    .enum(['all', 'selected'])
    .meta({ description: 'which repositories of the account it was given' }),
  suspended: z.boolean(),
  url: z.string().meta({ description: 'its settings at the host' }),
});
const linkedInstallation = installation.extend({ linkedAt: timestamp });
const ofInstallation = z.object({ orgId, installId: z.coerce.number().int().min(1) });

/** The first repository host, where the platform is an app that accounts install. */
export const vcsApp = {
  'vcs-app.installation-status': endpoint({
    ...organisationOfPath,
    organisation: 'query.organisationId',
    path: '/api/vcs-app/installation-status',
    summary: 'Tell whether a repository can be reached through an installation',
    description:
      '`repoAccess` false with `installed` true: the app is there, but was not granted that repository, or it is ' +
      '`suspended`. The host is asked: an installation that is gone there is forgotten.',
    query: z.object({
      organisationId: organisationOfQuery,
      owner: ofRepository.shape.owner,
      repo: ofRepository.shape.repo,
    }),
    output: z.object({
      configured: z.boolean().meta({ description: 'false: the operator has not set up the app' }),
      installed: z.boolean(),
      installationId: z.int().nullable(),
      accountLogin: z.string().nullable(),
      repoAccess: z.boolean(),
      suspended: z.boolean().meta({ description: 'at the host: nothing is reached until it is resumed there' }),
    }),
    cli: ['vcs', 'status'],
    mcp: readOnly,
    errors: ['SV002'],
  }),
  'vcs-app.install': endpoint({
    ...leadsToHost,
    path: '/api/vcs-app/install',
    summary: 'Get the address where a person installs the app',
    description:
      'The host sends them back to `/api/vcs-app/callback`, which links the installation to the organisation. The ' +
      'address is good for an hour and for one installation. Follow the stream to learn when it is linked.',
    query: inferredOrganisation,
    output: z.object({ url: z.string() }),
    cli: ['vcs', 'install'],
    mcp: null,
    errors: ['CF001'],
  }),
  'vcs-app.repositories': endpoint({
    ...organisationOfPath,
    path: '/api/vcs-app/organisation/:orgId/repositories',
    summary: "List the repositories that the organisation's installations reach",
    description: `${MAY_BE_OLD} ${MAY_BE_PARTIAL}`,
    params: z.object({ orgId }),
    output: z.array(repositoryOfHost.extend({ id: z.int() })),
    responseHeaders: [asOf, partial],
    cli: ['vcs', 'repos'],
    mcp: readOnly,
    errors: ['CF001', 'SV002'],
  }),
  'vcs-app.branches': endpoint({
    ...organisationOfPath,
    path: '/api/vcs-app/organisation/:orgId/repositories/:owner/:repo/branches',
    summary: 'List the branches of a repository',
    description: MAY_BE_OLD,
    params: ofRepository,
    output: z.array(branchOfRepository),
    responseHeaders: [asOf],
    cli: ['vcs', 'branches'],
    mcp: readOnly,
    errors: ['NF001', 'CF001', 'SV002'],
  }),
  'vcs-app.check-accounts': endpoint({
    ...organisationOfPath,
    method: 'POST',
    path: '/api/vcs-app/organisation/:orgId/check-accounts',
    summary: 'Tell which accounts have installed the app',
    description:
      '`installed` true with `linkedToThisOrg` false: the organisation cannot use it until it is linked. Of accounts ' +
      'that are neither linked to the organisation nor seen by the person who asks, nothing is told.',
    params: z.object({ orgId }),
    body: z.object({
      accountLogins: z.array(z.string().min(1).max(100)).max(100).meta({ description: 'their names at the host' }),
    }),
    output: z.object({
      accounts: z.record(z.string(), z.object({ installed: z.boolean(), linkedToThisOrg: z.boolean() })),
    }),
    cli: ['vcs', 'check-accounts'],
    mcp: readOnly,
    errors: ['SV002'],
  }),
  'vcs-app.installations': endpoint({
    ...organisationOfPath,
    credential: 'session',
    organisation: null,
    permission: null,
    path: '/api/vcs-app/installations',
    summary: 'List the installations that you see at the host',
    description: 'Empty until you have been at the host once, by vcs-app/install.',
    output: z.array(installation.extend({ canLink: z.boolean().meta({ description: 'you administer the account' }) })),
    cli: ['vcs', 'visible-installations'],
    mcp: null,
    errors: ['SV002'],
  }),
  'vcs-app.organisation-installations': endpoint({
    ...organisationOfPath,
    path: '/api/vcs-app/organisation/:orgId/installations',
    summary: 'List the installations that are linked to the organisation',
    params: z.object({ orgId }),
    output: z.array(linkedInstallation),
    cli: ['vcs', 'installations'],
    mcp: readOnly,
  }),
  'vcs-app.link-installation': endpoint({
    ...organisationOfPath,
    method: 'POST',
    credential: 'session',
    permission: 'update:projects',
    needsLiveSession: true,
    path: '/api/vcs-app/organisation/:orgId/link-installation',
    summary: 'Let the organisation use an installation that is there already',
    description: 'You must administer the account it belongs to: the host is asked.',
    params: z.object({ orgId }),
    body: z.object({ installationId: z.int().min(1) }),
    output: linkedInstallation,
    cli: ['vcs', 'link'],
    mcp: null,
    errors: ['NF001', 'CF001', 'SV002'],
  }),
  'vcs-app.sync-installations': endpoint({
    ...organisationOfPath,
    method: 'POST',
    permission: 'update:projects',
    path: '/api/vcs-app/organisation/:orgId/sync-installations',
    summary: 'Read the installations again from the host, and forget those that are gone',
    params: z.object({ orgId }),
    body: z.object({}),
    output: z.object({ installations: z.array(linkedInstallation), removed: z.int() }),
    cli: ['vcs', 'sync'],
    mcp: writesIdempotently,
    errors: ['CF001', 'SV002'],
  }),
  'vcs-app.unlink-installation': endpoint({
    ...organisationOfPath,
    method: 'DELETE',
    permission: 'update:projects',
    path: '/api/vcs-app/organisation/:orgId/installations/:installId',
    summary: 'Stop the organisation from using an installation; at the host it stays',
    params: ofInstallation,
    output: message,
    cli: ['vcs', 'unlink'],
    mcp: destroys,
    errors: ['NF001'],
  }),
  'vcs-app.uninstall': endpoint({
    ...organisationOfPath,
    method: 'DELETE',
    credential: 'session',
    permission: 'update:projects',
    needsLiveSession: true,
    path: '/api/vcs-app/organisation/:orgId/installations/:installId/uninstall',
    summary: 'Remove the app from the account at the host',
    description:
      'Every organisation that it is linked to loses it. You must administer the account: the host is asked.',
    params: ofInstallation,
    output: message,
    cli: ['vcs', 'uninstall'],
    mcp: null,
    errors: ['NF001', 'CF001', 'SV002'],
  }),
  'vcs-app.stream': endpoint({
    ...organisationOfPath,
    organisation: 'params.organisationId',
    needsLiveSession: true,
    path: '/api/vcs-app/organisation/:organisationId/stream',
    summary: 'Follow how an installation completes',
    description:
      'Server-sent events: `status` as the newest attempt goes on, `linked` when the installation can be used; then it ends.',
    params: z.object({ organisationId: orgId }),
    headers: [lastEventId],
    stream: true,
    output: z.object({
      status: attemptStatus,
      linked: z.object({ installationId: z.int(), accountLogin: z.string() }),
    }),
    cli: null,
    mcp: null,
  }),
  'vcs-app.confirm': endpoint({
    ...organisationOfPath,
    method: 'POST',
    credential: 'session',
    needsLiveSession: true,
    organisation: null,
    permission: null,
    path: '/api/vcs-app/confirm',
    summary: 'Say yes to a link whose browser was not the one that began it',
    description:
      'For whoever began in a terminal: the page that the host sent them back to asks the signed-in person. Only who ' +
      'began may confirm. Without `confirm: true` it only tells what would be linked. For all three hosts.',
    body: z.object({ attempt: z.string().min(1).max(2000), confirm: z.boolean().default(false) }),
    output: z.object({
      provider: z.enum(gitProviders),
      hostUrl: z.string().meta({ description: 'the host that the account is at' }),
      accountLogin: z.string(),
      organisationName: z.string(),
      linked: z.boolean(),
    }),
    cli: null,
    mcp: null,
    errors: ['NF001', 'CF001', 'CA005'],
  }),
};
