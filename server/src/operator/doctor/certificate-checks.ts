import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { findPause } from '../../certificates/acme/acme-account-store.ts';
import { reachDirectory } from '../../certificates/acme/reach-directory.ts';
import { describeTime } from '../../certificates/describe-time.ts';
import { LEEWAY_MS } from '../../certificates/local/local-authority.ts';
import { readLocalAuthority, type StoredLocalAuthority } from '../../certificates/local/local-authority-store.ts';
import { permittedNamesOf, type NamingConfig } from '../../certificates/local/own-names.ts';
import { isBoundTo } from '../../certificates/local/permitted-names.ts';
import { pathsOf, type Config } from '../../config.ts';
import { listCertificates, type CertificateFacts } from '../../modules/certificates/certificate-store.ts';
import { isEnding } from '../../modules/certificates/certificate.ts';
import { platformHostnames } from '../../modules/certificates/platform-names.ts';
import { isHeld } from '../is-held.ts';
import { lackOfHttps } from '../lack-of-https.ts';
import { ok, warn, type CheckedHost, type CheckFamily, type Finding } from './check.ts';
import { lookIntoStore } from './look-into-store.ts';
import { runsElsewhere } from './read-roles.ts';

export const certificateChecks: CheckFamily = {
  title: 'Certificates',
  checks: [
    { id: 'certificates.https', title: 'https port', needsHome: () => true, look: lookAtPort },
    {
      id: 'certificates.authority',
      title: 'Authority',
      needsHome: ({ databaseUrl }) => databaseUrl === null,
      look: lookAtAuthority,
    },
    {
      id: 'certificates.states',
      title: 'State',
      needsHome: ({ databaseUrl }) => databaseUrl === null,
      look: (host) => lookIntoStore(host, async (db) => judgeCertificates(await listCertificates(db), new Date())),
    },
    {
      id: 'certificates.root',
      title: 'Local root',
      needsHome: ({ databaseUrl }) => databaseUrl === null,
      look: (host) => lookIntoStore(host, async (db) => judgeRoot(host.config, await readLocalAuthority({ db }))),
    },
  ],
};

export async function lookAtPort({ config }: CheckedHost): Promise<Finding> {
  const { port } = config.tls;
  if (port === null) return ok('off: a proxy in front is expected to speak https (LILAC_TLS_PORT)');
  if (!isHeld(pathsOf(config).supervisorLock)) return ok(`${port}, when the platform runs`);
  if (runsElsewhere(config, 'edge')) return ok(`${port} is not open here: no edge runs on this host`);
  // Whoever has the port instead may well answer.
  const lack = lackOfHttps(config);
  if (lack !== null) return warn('none: no https is served, and no certificates are ordered', `${lack} Then restart.`);
  const trouble = await shakeHands(config, port);
  if (trouble === null) return ok(`${port} answers`);
  return warn(
    `${port} does not answer (${trouble})`,
    `Another program may have it: "ss -ltnp sport = :${port}" names it. Stop it, or set LILAC_TLS_PORT, and restart.`,
  );
}

const PATIENCE_MS = 5000;

/** Null when it went well; whom it is that answers is no matter here. */
function shakeHands({ bind, publicUrl }: Config, port: number): Promise<string | null> {
  const host = bind === '::' || bind === '0.0.0.0' ? '127.0.0.1' : bind;
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      servername: nameOf(publicUrl),
      rejectUnauthorized: false,
      timeout: PATIENCE_MS,
    });
    const end = (trouble: string | null) => {
      socket.destroy();
      resolve(trouble);
    };
    socket.once('secureConnect', () => end(null));
    socket.once('timeout', () => end('it takes too long'));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

/** An address is not named in a handshake. */
const nameOf = ({ hostname }: URL): string => (/^[\d.]+$|^\[/.test(hostname) ? '' : hostname);

/** It is asked only where something is wanted of it. */
async function lookAtAuthority(host: CheckedHost): Promise<Finding> {
  const { config } = host;
  const { directoryUrl } = config.acme;
  if (directoryUrl === null) return ok('none (LILAC_ACME_DIRECTORY is off): custom domains get no certificates');
  return lookIntoStore(host, async (db) => {
    const isWanted = platformHostnames(config).length > 0 || (await listCertificates(db)).length > 0;
    if (!isWanted) return ok(`${directoryUrl}: not asked, as nothing wants a certificate yet`);
    try {
      await reachDirectory({ ...config.acme, directoryUrl }, config.builds.hostVariables);
      return judgePause(directoryUrl, await findPause(db, directoryUrl, new Date()));
    } catch (error) {
      return warn(
        `${directoryUrl}: ${(error as Error).message}`,
        'Check that this machine may reach it, LILAC_ACME_DIRECTORY, and LILAC_ACME_CA_FILE if it is one of your own.',
      );
    }
  });
}

export function judgePause(directoryUrl: string, until: Date | null): Finding {
  if (until === null) return ok(`${directoryUrl} answers`);
  return warn(
    `${directoryUrl} answers, and takes no orders of this platform: it is asked again ${describeTime(until)}`,
    'Nothing is ordered before. To have it asked now: lilac admin certificates resume',
  );
}

/** Of local names. Whoever trusts it has to know when there is another. */
export function judgeRoot(config: NamingConfig, root: Pick<StoredLocalAuthority, 'certificate'> | undefined): Finding {
  if (!root) return ok('none yet: it is made when https is first served');
  const { validFromDate, fingerprint256 } = new X509Certificate(root.certificate);
  const made = `made on ${new Date(validFromDate.getTime() + LEEWAY_MS).toISOString().slice(0, 10)}`;
  const which = `${made}, SHA-256 ${fingerprint256.slice(0, 23)}…`;
  if (isBoundTo(root.certificate, permittedNamesOf(config))) return ok(which);
  return warn(
    `${which}, is not bound to the names of this installation`,
    'Restart the platform with these settings: it makes another. Then trust that one: lilac admin certificates root',
  );
}

const MOST_NAMED = 4;

/** Those that could not be got, and those that are about to end. */
export function judgeCertificates(certificates: readonly CertificateFacts[], now: Date): Finding {
  if (certificates.length === 0) return ok('none yet: custom domains and a public host of the platform have them');
  const wrong = certificates.flatMap((each) => {
    const trouble = troubleOf(each, now);
    return trouble === null ? [] : [`${each.hostname} ${trouble}`];
  });
  const all = certificates.length === 1 ? 'the one there is, is well' : `all ${certificates.length} are well`;
  if (wrong.length === 0) return ok(all);
  const rest = wrong.length > MOST_NAMED ? [`${wrong.length - MOST_NAMED} more`] : [];
  return warn([...wrong.slice(0, MOST_NAMED), ...rest].join('; '), 'Look at: lilac admin certificates list');
}

function troubleOf({ status, error, notBefore, notAfter, isRevoked }: CertificateFacts, now: Date): string | null {
  const why = error === null ? '' : `: ${error}`;
  if (notBefore && notAfter && isEnding({ notBefore, notAfter }, now)) {
    return `${notAfter <= now ? 'ended' : 'ends'} on ${notAfter.toISOString().slice(0, 10)}${why}`;
  }
  if (isRevoked) return `is revoked${why}`;
  return status === 'failed' || error !== null ? `${status === 'failed' ? 'failed' : 'is not got yet'}${why}` : null;
}
