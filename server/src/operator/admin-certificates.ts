import type { Command } from 'commander';
import { createAcmeAuthority } from '../certificates/acme/create-acme-authority.ts';
import { AuthorityRefused, AuthorityUnavailable } from '../certificates/certificate-authority.ts';
import { describeTime } from '../certificates/describe-time.ts';
import { readLocalAuthority, readOrCreateLocalAuthority } from '../certificates/local/local-authority-store.ts';
import { pathsOf } from '../config.ts';
import type { CertificateRow } from '../db/schema.ts';
import { silentLog } from '../lib/log.ts';
import {
  findCertificateAt,
  isAskedHere,
  listCertificates,
  type CertificateFacts,
} from '../modules/certificates/certificate-store.ts';
import { listKept, type KeptCertificate } from '../modules/certificates/kept-certificate-store.ts';
import { isLimited, renewNow, revokeNow } from '../modules/certificates/renew-now.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { isHeld } from './is-held.ts';
import { openInstallation, type Installation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';

interface Options {
  json?: true;
}

export function addCertificates(admin: Command, context: OperatorContext): void {
  const certificates = admin.command('certificates').description('certificates for https');
  certificates
    .command('list')
    .summary('show every certificate, and what is wrong with it')
    .description(
      'Shows the certificates of custom domains and of the platform itself, and what is wrong with them. Those of ' +
        'domains that were taken away are kept as long as they are good, in case they come back.',
    )
    .option('--json', 'print one JSON document')
    .action((options: Options) => list(context, options));
  certificates
    .command('renew')
    .summary('get another certificate for a name now')
    .description(
      'Has another certificate got at once, which then takes the place of the one there is, whatever the limits of the ' +
        'platform itself. A limit of the certificate authority is waited for all the same.',
    )
    .argument('<hostname>', 'as the list shows it')
    .option('--json', 'print one JSON document')
    .action((hostname: string, options: Options) => renew(context, hostname, options));
  certificates
    .command('revoke')
    .summary('declare a certificate void, and get another')
    .description(
      'Has the certificate authority declare a certificate void: for when its key may be in wrong hands. It is shown ' +
        'until another takes its place, which is got at once.',
    )
    .argument('<hostname>', 'as the list shows it')
    .option('--force', 'replace it also where the authority refuses, because it does not know it')
    .option('--json', 'print one JSON document')
    .action((hostname: string, options: Options & { force?: true }) => revoke(context, hostname, options));
  certificates
    .command('root')
    .summary('print the root certificate of local names')
    .description(
      'Prints the certificate (PEM) of the authority that signs for localhost and names below it. Who trusts it sees ' +
        'no warning there: lilac admin certificates root > lilac-root.pem, then import that file.',
    )
    .action(() => root(context));
}

async function list(context: OperatorContext, { json }: Options): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const { db } = installation.store;
  const [certificates, kept] = [await listCertificates(db), await listKept(db)];
  printResult(context, { isJson: json === true, document: { certificates, kept }, lines: tableOf(certificates, kept) });
}

async function renew(context: OperatorContext, hostname: string, { json }: Options): Promise<void> {
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
  const orderedAt = isLimited(certificate, clock.now()) ? certificate.limited_until : null;
  const isHere = await isAskedHere(store.db, certificate);
  tellOrdered(context, {
    isJson: json === true,
    hostname: certificate.hostname,
    orderedAt,
    when: whenOrdered(installation, { limit: orderedAt, isHere }),
  });
}

async function revoke(
  context: OperatorContext,
  hostname: string,
  { json, force }: Options & { force?: true },
): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const { config, store, clock, paths } = installation;
  const certificate = await find(installation, hostname);
  if (certificate.chain === null) {
    throw new OperatorError(`There is no certificate for ${hostname} yet.`, 'lilac admin certificates list shows why.');
  }
  const { directoryUrl, ...settings } = config.acme;
  if (directoryUrl === null) {
    throw new OperatorError('No certificate authority is set up.', 'Set LILAC_ACME_DIRECTORY to the one it came from.');
  }
  const keyring = openKeyring(paths.keyring);
  const authority = createAcmeAuthority({
    store,
    keyring,
    clock,
    hostVariables: config.builds.hostVariables,
    settings: { ...settings, directoryUrl },
  });
  const how = { now: clock.now(), isForced: force === true };
  await revokeNow({ store, authority }, { ...certificate, chain: certificate.chain }, how).catch(explain);
  const told = { isJson: json === true, hostname: certificate.hostname, orderedAt: null };
  if (certificate.kept_for === null) {
    tellOrdered(context, { ...told, when: whenOrdered(installation, { limit: null, isHere: true }) });
    return;
  }
  printResult(context, {
    isJson: told.isJson,
    document: { hostname: told.hostname, orderedAt: null },
    lines: [`The certificate for ${told.hostname} is void. Its domain was taken away: no other is ordered.`],
  });
}

function explain(error: unknown): never {
  const isWord = error instanceof AuthorityRefused || error instanceof AuthorityUnavailable;
  if (!isWord) throw error;
  const later = error.retryAt === null ? 'Try again later.' : `Try again ${describeTime(error.retryAt)}.`;
  const isFinal = error instanceof AuthorityRefused && error.retryAt === null;
  const advice = isFinal
    ? 'It is shown on. Where it came from another authority, revoke it there; with --force it is replaced here, and never used again.'
    : later;
  throw new OperatorError(error.message, `Nothing was changed. ${advice}`, { cause: error });
}

function tellOrdered(
  context: OperatorContext,
  { isJson, hostname, orderedAt, when }: { isJson: boolean; hostname: string; orderedAt: Date | null; when: string },
): void {
  printResult(context, {
    isJson,
    document: { hostname, orderedAt },
    lines: [
      `Another certificate for ${hostname} is ordered ${when}. lilac admin certificates list shows how far it is.`,
    ],
  });
}

function whenOrdered({ config }: Installation, { limit, isHere }: { limit: Date | null; isHere: boolean }): string {
  if (limit !== null) return `not before ${timeOf(limit)}: until then the authority's limit is reached`;
  if (!isHere) return 'once its records lead to this platform, which they do not at the moment';
  return isHeld(pathsOf(config).supervisorLock) ? 'now' : 'when the platform runs';
}

async function root(context: OperatorContext): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const { certificate } = (await readLocalAuthority(installation.store)) ?? (await createRoot(installation));
  context.terminal.print(certificate.trimEnd());
}

function createRoot({ store, config, clock, paths }: Installation) {
  return readOrCreateLocalAuthority({ store, config, clock, log: silentLog, keyring: openKeyring(paths.keyring) });
}

async function find({ store }: Installation, hostname: string): Promise<CertificateRow> {
  const certificate = await findCertificateAt(store.db, hostname.toLowerCase());
  if (certificate) return certificate;
  throw new OperatorError(
    `There is no certificate for ${hostname}.`,
    'lilac admin certificates list shows those there are.',
  );
}

const HEAD = ['NAME', 'ORGANISATION', 'STATUS', 'ISSUER', 'ENDS', 'RENEWED'];

export function tableOf(certificates: readonly CertificateFacts[], kept: readonly KeptCertificate[] = []): string[] {
  if (certificates.length + kept.length === 0) return ['There are no certificates.'];
  const inUse = certificates.map(({ hostname, organisation, status, issuer, notAfter, renewAt, isRevoked }) =>
    [
      hostname,
      organisation ?? 'the platform',
      isRevoked ? 'revoked' : status,
      issuer,
      timeOf(notAfter),
      timeOf(renewAt),
    ].map(shown),
  );
  const others = kept.map(({ hostname, organisation, issuer, notAfter, isRevoked }) =>
    [hostname, organisation, isRevoked ? 'revoked' : 'kept', issuer, timeOf(notAfter), '-'].map(shown),
  );
  const rows = [...inUse, ...others];
  const widths = HEAD.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]!.length)));
  const lines = [HEAD, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  const wrong = certificates.flatMap(({ hostname, error }) => (error === null ? [] : [`${hostname}: ${shown(error)}`]));
  return wrong.length === 0 ? lines : [...lines, '', ...wrong];
}

const timeOf = (time: Date | null): string =>
  time === null ? '-' : `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`;

/** Names are what somebody typed: nothing in them is to move the terminal's cursor. */
const shown = (text: string | null): string => text?.replaceAll(/\p{C}/gu, ' ') ?? '-';
