import type { Handlers } from '../../../http/handler.ts';
import type { VcsAttemptRow } from '../../../db/schema.ts';
import { hostAddresses } from '../settings/host-addresses.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { beginAttempt } from './begin-attempt.ts';
import { confirmAttempt } from './confirm-attempt.ts';
import { followAttempts } from './follow-attempts.ts';
import { notSetUp, signInHostOf } from './sign-in-host.ts';

type Connected = 'provider2' | 'provider3';
type AttemptEndpoint =
  | 'vcs-app.install'
  | 'vcs-app.stream'
  | 'vcs-app.confirm'
  | `${Connected}.${'connect' | 'stream'}`;

/** What leads a person to a host, and tells when they are back. */
export function attemptHandlers(deps: VcsDeps): Pick<Handlers, AttemptEndpoint> {
  return {
    'vcs-app.install': async ({ organisation, caller, response }) => {
      const host = await deps.hosts.app();
      if (!host) throw notSetUp();
      const beginning = { organisationId: organisation.id, userId: caller.userId, provider: 'provider1' } as const;
      const { state, cookie } = await beginAttempt(deps, beginning);
      response.setCookie(cookie);
      return { url: host.installUrl(state) };
    },
    'vcs-app.stream': ({ organisation: { id: organisationId }, lastEventId, signal }) =>
      followAttempts(deps, { organisationId, provider: 'provider1', lastEventId, signal }, linkedInstallationOf),
    'vcs-app.confirm': ({ body: { attempt: ticket, confirm: isYes }, caller: { userId }, response: { signal } }) =>
      confirmAttempt(deps, { ticket, userId, isYes, signal }),
    'provider2.connect': connect(deps, 'provider2'),
    'provider3.connect': connect(deps, 'provider3'),
    'provider2.stream': follow(deps, 'provider2'),
    'provider3.stream': follow(deps, 'provider3'),
  };
}

function connect(deps: VcsDeps, provider: Connected): Handlers['provider2.connect'] & Handlers['provider3.connect'] {
  return async ({ organisation, caller, response }) => {
    const host = await signInHostOf(deps, provider);
    if (!host) throw notSetUp();
    const beginning = { organisationId: organisation.id, userId: caller.userId, provider };
    const { state, cookie } = await beginAttempt(deps, beginning);
    response.setCookie(cookie);
    return { url: host.authorizeUrl({ state, redirectUrl: hostAddresses(deps.config, provider).callbackUrl }) };
  };
}

function follow(deps: VcsDeps, provider: Connected): Handlers['provider2.stream'] & Handlers['provider3.stream'] {
  return ({ organisation, lastEventId, signal }) =>
    followAttempts(deps, { organisationId: organisation.id, provider, lastEventId, signal }, linkedConnectionOf);
}

function linkedInstallationOf({ installation_id, account_login }: VcsAttemptRow) {
  return { installationId: Number(installation_id), accountLogin: account_login ?? '' };
}

function linkedConnectionOf({ connection_id, account_login }: VcsAttemptRow) {
  return { connectionId: connection_id ?? '', accountLogin: account_login ?? '' };
}
