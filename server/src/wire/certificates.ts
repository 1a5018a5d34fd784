import type { FastifyInstance } from 'fastify';
import { openAnswers } from '../certificates/acme/challenge-answers.ts';
import { deleteChallengesBefore, findChallengeAnswer } from '../certificates/acme/challenge-store.ts';
import type { CertificateAuthority } from '../certificates/certificate-authority.ts';
import type { Config } from '../config.ts';
import type { Store } from '../db/pool.ts';
import { registerAcmeChallenges } from '../http/acme-challenge-routes.ts';
import type { JobHandler } from '../jobs/job.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { certificateJobs } from '../modules/certificates/jobs.ts';
import type { Keyring } from '../secrets/keyring.ts';

export interface CertificateRoleDeps {
  config: Config;
  store: Store;
  keyring: Keyring;
  clock: Clock;
  log: Log;
}

/** Null: none is set up. */
function openAuthority(deps: Omit<CertificateRoleDeps, 'log'>): CertificateAuthority | null {
  const { directoryUrl, ...settings } = deps.config.acme;
  if (directoryUrl === null) return null;
  const { hostVariables } = deps.config.builds;
  return openedLate(async () => {
    const { createAcmeAuthority } = await import('../certificates/acme/create-acme-authority.ts');
    return createAcmeAuthority({ ...deps, hostVariables, settings: { ...settings, directoryUrl } });
  });
}

/** What speaks with authorities takes a third of a second to load, and most processes never need it. */
function openedLate(open: () => Promise<CertificateAuthority>): CertificateAuthority {
  let opened: Promise<CertificateAuthority> | undefined;
  const authority = () => (opened ??= open());
  return {
    issue: async (order) => (await authority()).issue(order),
    revoke: async (chain) => (await authority()).revoke(chain),
  };
}

export function buildCertificateJobs(deps: CertificateRoleDeps): JobHandler[] {
  const { domains, builds } = deps.config;
  const program = domains.dnsHook;
  const dnsHook = program === null ? null : { program, hostVariables: builds.hostVariables };
  return certificateJobs({
    ...deps,
    authority: openAuthority(deps),
    openAnswers: (signal) => openAnswers({ ...deps, dnsHook }, signal),
    sweepAnswers: () => deleteChallengesBefore(deps.store.db, deps.clock.now()),
  });
}

/** Where certificate authorities look for the proof that a name is ours. */
export function registerCertificateRoutes(app: FastifyInstance, { store }: Pick<CertificateRoleDeps, 'store'>): void {
  registerAcmeChallenges(app, { answerTo: (token) => findChallengeAnswer(store.db, token) });
}
