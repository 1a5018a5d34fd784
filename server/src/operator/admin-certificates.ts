import type { Command } from 'commander';
import { findPause } from '../certificates/acme/acme-account-store.ts';
import { describeTime } from '../certificates/describe-time.ts';
import { readLocalAuthority, readOrCreateLocalAuthority } from '../certificates/local/local-authority-store.ts';
import { silentLog } from '../lib/log.ts';
import { plainLine } from '../lib/plain-text.ts';
import { listCertificates, type CertificateFacts } from '../modules/certificates/certificate-store.ts';
import { listKept, type KeptCertificate } from '../modules/certificates/kept-certificate-store.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { renew, resume, revoke } from './admin-certificate-orders.ts';
import { openInstallation, type Installation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { toMinute } from './utc-time.ts';

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
        'until another takes its place, which is ordered at once.',
    )
    .argument('<hostname>', 'as the list shows it')
    .option('--force', 'replace it also where the authority does not know it, or not as one of yours')
    .option('--json', 'print one JSON document')
    .action((hostname: string, options: Options & { force?: true }) => revoke(context, hostname, options));
  certificates
    .command('resume')
    .summary('ask the authority again before its limit ends')
    .description(
      'Has everything that waits for a limit of the certificate authority ordered again now: for when the limit was ' +
        'lifted there, or was never meant so. Where it still holds, the authority says so again, and all wait for it.',
    )
    .option('--json', 'print one JSON document')
    .action((options: Options) => resume(context, options));
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
  const { config, clock, store } = installation;
  const { directoryUrl } = config.acme;
  const [certificates, kept] = [await listCertificates(store.db), await listKept(store.db)];
  const pausedUntil = directoryUrl === null ? null : await findPause(store.db, directoryUrl, clock.now());
  printResult(context, {
    isJson: json === true,
    document: { certificates, kept, pausedUntil },
    lines: [...tableOf(certificates, kept), ...(pausedUntil === null ? [] : ['', pauseLine(pausedUntil)])],
  });
}

const pauseLine = (until: Date): string =>
  `The certificate authority takes no orders of this platform: it is asked again ${describeTime(until)}, or now by ` +
  'lilac admin certificates resume.';

async function root(context: OperatorContext): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const { certificate } = (await readLocalAuthority(installation.store)) ?? (await createRoot(installation));
  context.terminal.print(certificate.trimEnd());
}

function createRoot({ store, config, clock, paths }: Installation) {
  return readOrCreateLocalAuthority({ store, config, clock, log: silentLog, keyring: openKeyring(paths.keyring) });
}

const HEAD = ['NAME', 'ORGANISATION', 'STATUS', 'ISSUER', 'ENDS', 'RENEWED'];

function tableOf(certificates: readonly CertificateFacts[], kept: readonly KeptCertificate[] = []): string[] {
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
  const wrong = certificates.flatMap(({ hostname, error }) =>
    error === null ? [] : [`${hostname}: ${plainLine(error)}`],
  );
  return wrong.length === 0 ? lines : [...lines, '', ...wrong];
}

const timeOf = (time: Date | null): string => (time === null ? '-' : toMinute(time));
const shown = (text: string | null): string => (text === null ? '-' : plainLine(text));
