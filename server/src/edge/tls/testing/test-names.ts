import { generateKeyPairSync } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { authority } from '../../certificates/testing/make-certificate.ts';
import { secureContextOf } from '../../certificates/secure-context.ts';
import type { SecureNames } from '../../certificates/secure-names.ts';

export interface TestNames extends SecureNames {
  contexts: Map<string, SecureContext>;
  publicNames: Set<string>;
  /** Names that every certificate is for. */
  covered: Set<string>;
  staples: Map<string, Buffer>;
  /** Takes up a new certificate for the name. */
  issue(name: string): void;
}

/** What a client has to trust. */
export const root = authority.certificate;

/**
 * Certificates for the given names; the first is the platform's own. Another secret stands for another installation.
 */
export function makeTestNames(own: string, names: readonly string[], ticketKeys = Buffer.alloc(48, 7)): TestNames {
  const contexts = new Map<string, SecureContext>();
  const [publicNames, covered, staples] = [new Set<string>(), new Set<string>(), new Map<string, Buffer>()];
  const issue = (name: string) => {
    const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
    const { chain } = authority.sign([name], publicKey, new Date());
    contexts.set(name, secureContextOf({ chain, privateKey, ticketKeys }));
  };
  for (const name of [own, ...names]) issue(name);
  return {
    contexts,
    publicNames,
    covered,
    staples,
    issue,
    contextFor: (name = own) => contexts.get(name.toLowerCase()) ?? null,
    isMisdirected: (servername, host) =>
      servername !== undefined && servername.toLowerCase() !== host && contexts.has(host) && !covered.has(host),
    isPublic: (name) => publicNames.has(name.toLowerCase()),
    stapleFor: (name = own) => staples.get(name) ?? null,
  };
}
