import { clientAddress, plainAddress, type IsTrusted } from './client-address.ts';

/** Who the client is, and how it came. */
export interface ClientIdentity {
  address: string;
  protocol: 'http' | 'https';
  /** It holds for all requests of the connection: no proxy speaks for others there. */
  isFixed: boolean;
}

/** What is known of a request's connection, and what the request says besides. */
export interface ClientTraces {
  /** The other end; null for what comes from another part of the edge, whose word is so. */
  remoteAddress: string | null;
  isSecure: boolean;
  forwardedFor: string | undefined;
  forwardedProto: string | undefined;
}

export type Identify = (traces: ClientTraces) => ClientIdentity;

export function createIdentify(isTrusted: IsTrusted): Identify {
  return ({ remoteAddress, isSecure, forwardedFor, forwardedProto }) => {
    const own = isSecure ? 'https' : 'http';
    if (remoteAddress === null) {
      return { address: forwardedFor ?? '', protocol: protocolOf(forwardedProto) ?? own, isFixed: false };
    }
    const isProxy = isTrusted(plainAddress(remoteAddress));
    return {
      address: clientAddress(remoteAddress, forwardedFor, isTrusted),
      protocol: (isProxy ? protocolOf(forwardedProto) : null) ?? own,
      isFixed: !isProxy,
    };
  };
}

/** What the client spoke, by an X-Forwarded-Proto header: where several proxies have added to it, that comes first. */
export function protocolOf(said: string | undefined): 'http' | 'https' | null {
  const first = said?.split(',', 1)[0]!.trim().toLowerCase();
  return first === 'https' || first === 'http' ? first : null;
}
