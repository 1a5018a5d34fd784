import { gitProviders, type GitProvider } from '@lilac/contract/states';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clearAttemptCookie, readAttemptCookie } from '../modules/vcs/attempts/attempt-cookie.ts';
import { returnFromHost, type Return, type Returned } from '../modules/vcs/attempts/return-from-host.ts';
import { hostAddresses } from '../modules/vcs/settings/host-addresses.ts';
import type { VcsDeps } from '../modules/vcs/vcs-deps.ts';
import { renderReturnPage, type ReturnPage } from './vcs-return-page.ts';

/** Where repository hosts send people back to. For browsers, so they answer pages. */
export function registerVcsCallbacks(app: FastifyInstance, deps: VcsDeps): void {
  for (const provider of gitProviders) {
    const { pathname } = new URL(hostAddresses(deps.config, provider).callbackUrl);
    app.get(pathname, { config: { isDocument: true }, exposeHeadRoute: false }, async (request, reply) => {
      const proofFor = (attemptId: string) =>
        readAttemptCookie({ config: deps.config, provider, attemptId }, request.headers.cookie);
      const returned = await returnFromHost(deps, { provider, query: readQuery(request), proofFor });
      return answer(reply, returned, { deps, provider });
    });
  }
}

const FIELDS = ['code', 'state', 'installation_id', 'setup_action', 'error'] as const;

/** What is there twice counts as not there. */
function readQuery({ query }: FastifyRequest): Return['query'] {
  const given = query as Record<string, unknown>;
  return Object.fromEntries(FIELDS.map((field) => [field, textOf(given[field])]));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_LENGTH ? value : undefined;
}

const MAX_LENGTH = 2000;

interface Place {
  deps: VcsDeps;
  provider: GitProvider;
}

function answer(reply: FastifyReply, returned: Returned, { deps, provider }: Place): FastifyReply {
  const { config } = deps;
  if (returned.kind === 'sent on') return reply.redirect(returned.url, 303);
  // In the fragment, which no server sees and no log keeps.
  if (returned.kind === 'confirm') return reply.redirect(`/connect#${returned.ticket}`, 303);
  if (returned.kind === 'linked') {
    void reply.header('set-cookie', clearAttemptCookie({ config, provider, attemptId: returned.attemptId }));
  }
  if (returned.kind === 'unavailable') void reply.header('retry-after', String(returned.retryAfterSeconds));
  const { html, contentSecurityPolicy } = renderReturnPage(
    pageOf(returned, { provider, host: config.vcsUrls[provider].host }),
  );
  return reply
    .code(STATUSES[returned.kind] ?? 200)
    .header('content-security-policy', contentSecurityPolicy)
    .type('text/html; charset=utf-8')
    .send(html);
}

const STATUSES: Partial<Record<Returned['kind'], number>> = { refused: 400, 'not set up': 400, unavailable: 503 };

type Shown = Exclude<Returned, { kind: 'sent on' | 'confirm' }>;

const HOME = { href: '/repositories', text: 'Go to the repositories in the console' };

/** What a person begins with who prefers a terminal to the console. */
const beginnings: Record<GitProvider, string> = {
  provider1: 'lilac vcs install',
  provider2: 'lilac provider2 connect',
  provider3: 'lilac provider3 connect',
};

function pageOf(returned: Shown, { provider, host }: { provider: GitProvider; host: string }): ReturnPage {
  const beginning = beginnings[provider];
  if (returned.kind === 'linked') {
    const use = `Your organisation can now use its repositories on ${host}. You may close this window.`;
    return { title: `${returned.accountLogin} is linked`, paragraphs: [use], link: HOME };
  }
  if (returned.kind === 'requested') {
    const paragraphs = [
      `You have asked for the app on ${host}. An owner of the account there must approve it.`,
      `Once it is approved, begin again (${beginning}), or have somebody who administers the account link it (lilac vcs link).`,
    ];
    return { title: 'Waiting for approval', paragraphs, link: HOME };
  }
  if (returned.kind === 'unasked') {
    const paragraphs = [
      `What you did on ${host} is done there. To let an organisation use it, begin in the console or in a terminal: ${beginning} leads ` +
        `to the host and back, lilac ${provider === 'provider1' ? 'vcs link takes what is installed' : `${provider} link takes what is connected`} already.`,
    ];
    return { title: 'Nothing was linked', paragraphs, link: HOME };
  }
  if (returned.kind === 'not set up') {
    const paragraphs = [
      `Nothing was linked. Whoever runs this platform has to set up ${host} first: lilac admin vcs setup prints a link for it.`,
      `Once that is done, begin anew in the console or in a terminal: ${beginning}.`,
    ];
    return { title: `${host} is not set up here`, paragraphs, link: HOME };
  }
  const title = returned.kind === 'unavailable' ? `${host} does not answer` : 'Nothing new was linked';
  return {
    title,
    paragraphs: [returned.message, `Begin again in the console or in a terminal: ${beginning} gives a new address.`],
    link: HOME,
  };
}
