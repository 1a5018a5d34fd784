import { isIP } from 'node:net';
import type { SecureContext } from 'node:tls';
import { platformHostOf, platformNamesOf } from '../../certificates/local/own-names.ts';
import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import { isDomainKey, wildcardAbove } from '../address-key.ts';
import { createRouter, hostNameOf } from '../router.ts';
import type { RouteTable } from '../routes/route-table.ts';
import type { CertificateContexts } from './certificate-contexts.ts';
import type { CertificateTable, HeldCertificate } from './certificate-table.ts';
import type { LocalLeaves } from './local-leaves.ts';
import type { SecureNames } from './secure-names.ts';

export interface SecureNamesOptions {
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'domains'>;
  routes: Pick<RouteTable, 'find'>;
  certificates: CertificateTable;
  contexts: CertificateContexts;
  leaves: LocalLeaves;
  clock: Clock;
}

/** Whose a name is. `own`: the platform's, or below its domain for applications. */
type Owner = 'own' | 'domain' | 'nobody';

/** Which certificate is shown to whom. */
export function createSecureNames(options: SecureNamesOptions): SecureNames {
  const { config, routes, certificates, contexts, leaves, clock } = options;
  const { publicUrl, appsDomain } = config;
  const platformHost = platformHostOf(config);
  const routeOf = createRouter({ platformHost: publicUrl.host, appsDomain });
  const platformNames = platformNamesOf(config);

  function ownerOf(name: string): Owner {
    const route = routeOf(name);
    if (route.kind === 'unknown') return 'nobody';
    if (route.kind === 'platform' || !isDomainKey(route.name)) return 'own';
    return routes.find(route.name) ? 'domain' : 'nobody';
  }

  const isPlatform = (name: string): boolean => name === platformHost || routeOf(name).kind === 'platform';

  /** Names that nobody has are without number: none of them is signed for. */
  function isServed(name: string): boolean {
    const route = routeOf(name);
    return isPlatform(name) || (route.kind === 'app' && routes.find(route.name) !== undefined);
  }

  /** Who names nobody, or an address, means the platform. */
  function settle(servername: string | undefined): { name: string; owner: Owner } {
    const name = servername ? hostNameOf(servername) : '';
    if (name === null) return { name: '', owner: 'nobody' };
    if (name === '' || isAddress(name)) return { name: platformHost, owner: 'own' };
    return { name, owner: ownerOf(name) };
  }

  function certificateFor(name: string, owner: Owner): HeldCertificate | undefined {
    return owner === 'nobody' ? undefined : certificates.find(name);
  }

  function contextFor(servername: string | undefined): SecureContext | null {
    const { name, owner } = settle(servername);
    const certificate = certificateFor(name, owner);
    const context = certificate ? contexts.of(certificate) : null;
    if (context !== null || owner !== 'own' || !isServed(name)) return context;
    return leaves.contextFor(name === platformHost ? platformNames : [name]);
  }

  function isMisdirected(servername: string | undefined, host: string): boolean {
    if (!servername || host === servername || isAddress(servername)) return false;
    const name = hostNameOf(host);
    if (name === null || !isServed(name)) return false;
    const { name: shown, owner } = settle(servername);
    if (name === shown) return false;
    // Whatever its names are, who asks for the platform has found it.
    if (isPlatform(name) && isPlatform(shown)) return false;
    const certificate = certificateFor(shown, owner);
    return certificate === undefined || ![name, wildcardAbove(name)].includes(certificate.hostname);
  }

  return {
    contextFor,
    isMisdirected,
    isPublic: (hostname) => {
      const name = hostNameOf(hostname);
      const owner = name === null ? 'nobody' : ownerOf(name);
      // Where the platform is reached by http, a proxy in front may do https, or nobody.
      if (name === null || (owner === 'own' && publicUrl.protocol !== 'https:')) return false;
      const certificate = certificateFor(name, owner);
      return certificate !== undefined && certificate.notAfterMs > clock.now().getTime();
    },
    stapleFor: (servername) => {
      const { name, owner } = settle(servername);
      const ocsp = certificateFor(name, owner)?.ocsp;
      return ocsp ? Buffer.from(ocsp, 'latin1') : null;
    },
  };
}

const isAddress = (name: string): boolean => isIP(name.replace(/^\[|\]$/g, '')) !== 0;
