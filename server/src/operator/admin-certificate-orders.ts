import { findPause } from '../certificates/acme/acme-account-store.ts';
import { createAcmeAuthority } from '../certificates/acme/create-acme-authority.ts';
import { AuthorityRefused, AuthorityUnavailable, CertificateUnknown } from '../certificates/certificate-authority.ts';
import { describeTime } from '../certificates/describe-time.ts';
import { pathsOf } from '../config.ts';
import type { CertificateRow } from '../db/schema.ts';
import { findCertificateAt, isAskedHere } from '../modules/certificates/certificate-store.ts';
import { renewNow, resumeOrders, revokeNow } from '../modules/certificates/renew-now.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { isHeld } from './is-held.ts';
import { lackOfHttps } from './lack-of-https.ts';
import { openInstallation, type Installation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';
import { toMinute } from './utc-time.ts';

interface Options {
  json?: true;
}

export async function renew(context: OperatorContext, hostname: string, { json }: Options): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const certificate = await find(installation, hostname);
  if (certificate.kept_for !== null) {
    throw new OperatorError(
      `The domain ${certificate.hostname} was taken away; its certificate is only kept.`,
      'Nothing is ordered for it until an environment has the domain again.',
    );
  }
  const { store, clock } = installation;
  await store.db.transaction().execute((tx) => renewNow(tx, certificate, clock.now()));
  const { orderedAt, sentence } = await planOf(installation, certificate);
  printResult(context, {
    isJson: json === true,
    document: { hostname: certificate.hostname, orderedAt },
    lines: [`${sentence} lilac admin certificates list shows how far it is.`],
  });
}

export async function revoke(
  context: OperatorContext,
  hostname: string,
  { json, force }: Options & { force?: true },
): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const { store, clock } = installation;
  const certificate = await find(installation, hostname);
  const { chain, hostname: name } = certificate;
  if (chain === null) {
    throw new OperatorError(`There is no certificate for ${hostname} yet.`, 'lilac admin certificates list shows why.');
  }
  const authority = openAuthority(installation);
  const how = { now: clock.now(), isForced: force === true };
  const { refusal } = await revokeNow({ store, authority }, { ...certificate, chain }, how).catch(explain);
  const done =
    refusal === null
      ? `The authority has declared the certificate for ${name} void.`
      : `The certificate for ${name} was not declared void: ${refusal} It is used no more here all the same.`;
  const plan = certificate.kept_for === null ? await planOf(installation, certificate) : null;
  const next = plan
    ? `It is shown until another takes its place. ${plan.sentence}`
    : 'Its domain was taken away: it is shown to nobody, and no other is ordered.';
  const document = { hostname: name, isRevoked: refusal === null, orderedAt: plan?.orderedAt ?? null };
  printResult(context, { isJson: json === true, document, lines: [`${done} ${next}`] });
}

export async function resume(context: OperatorContext, { json }: Options): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const { store, clock } = installation;
  const directoryUrl = directoryOf(installation);
  const waited = await store.db.transaction().execute((tx) => resumeOrders(tx, directoryUrl, clock.now()));
  const names = waited === 1 ? 'one certificate' : `${waited} certificates`;
  const when = whyNotServed(installation) ?? (isRunning(installation) ? 'within a minute.' : 'when the platform runs.');
  const orders =
    waited === 0 ? 'No certificate waited for a limit of it.' : `What waited, ${names}, is ordered ${when}`;
  printResult(context, {
    isJson: json === true,
    document: { waited },
    lines: [`The authority is asked again, whatever limits it told before. ${orders}`],
  });
}

function directoryOf({ config }: Installation): string {
  const { directoryUrl } = config.acme;
  if (directoryUrl !== null) return directoryUrl;
  throw new OperatorError('No certificate authority is set up.', 'Set LILAC_ACME_DIRECTORY to the one that is meant.');
}

function openAuthority(installation: Installation) {
  const { config, store, clock, paths } = installation;
  return createAcmeAuthority({
    store,
    keyring: openKeyring(paths.keyring),
    clock,
    hostVariables: config.builds.hostVariables,
    settings: { ...config.acme, directoryUrl: directoryOf(installation) },
  });
}

function explain(error: unknown): never {
  const isWord = error instanceof AuthorityRefused || error instanceof AuthorityUnavailable;
  if (!isWord) throw error;
  const again = error.retryAt === null ? 'Try again later.' : `Try again ${describeTime(error.retryAt)}.`;
  const advice =
    error instanceof CertificateUnknown
      ? 'Where it came from another authority, revoke it there; with --force it is replaced here, and never used again.'
      : again;
  const unchanged = 'Nothing was changed: the certificate is shown on, and believed.';
  throw new OperatorError(error.message, `${unchanged} ${advice}`, { cause: error });
}

interface Plan {
  /** Not before this; null: as soon as the sentence says. */
  orderedAt: Date | null;
  /** When another is ordered, as a sentence. */
  sentence: string;
}

async function planOf(installation: Installation, certificate: CertificateRow): Promise<Plan> {
  const { config, store, clock } = installation;
  const now = clock.now();
  const { directoryUrl } = config.acme;
  const another = `Another certificate for ${certificate.hostname} is ordered`;
  const notServed = whyNotServed(installation);
  if (notServed !== null) return { orderedAt: null, sentence: `${another} ${notServed}` };
  if (directoryUrl === null) {
    return { orderedAt: null, sentence: `${another} once LILAC_ACME_DIRECTORY names an authority; it is off.` };
  }
  const pause = await findPause(store.db, directoryUrl, now);
  const limitMs = Math.max(pause?.getTime() ?? 0, certificate.limited_until?.getTime() ?? 0);
  const orderedAt = limitMs > now.getTime() ? new Date(limitMs) : null;
  if (orderedAt !== null) {
    const why =
      'until then the authority takes no order for it. To have it asked before: lilac admin certificates resume.';
    return { orderedAt, sentence: `${another} not before ${toMinute(orderedAt)}: ${why}` };
  }
  if (!(await isAskedHere(store.db, certificate))) {
    const when = 'once its records lead to this platform, which they do not at the moment.';
    return { orderedAt, sentence: `${another} ${when}` };
  }
  return { orderedAt, sentence: `${another} ${isRunning(installation) ? 'now' : 'when the platform runs'}.` };
}

/** When anything is ordered again, where nobody could be shown what is; null: it is served. */
function whyNotServed({ config }: Installation): string | null {
  if (config.tls.port === null) return 'once LILAC_TLS_PORT is no longer off: a proxy does https now.';
  const lack = lackOfHttps(config);
  return lack === null ? null : `once the platform was restarted and serves https, which it does not now. ${lack}`;
}

const isRunning = ({ config }: Installation): boolean => isHeld(pathsOf(config).supervisorLock);

async function find({ store }: Installation, hostname: string): Promise<CertificateRow> {
  const certificate = await findCertificateAt(store.db, hostname.toLowerCase());
  if (certificate) return certificate;
  throw new OperatorError(
    `There is no certificate for ${hostname}.`,
    'lilac admin certificates list shows those there are.',
  );
}
