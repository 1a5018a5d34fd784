import type { Duplex } from 'node:stream';
import type { Config } from '../../config.ts';
import { isDomainKey } from '../address-key.ts';
import type { SecureNames } from '../certificates/secure-names.ts';
import { plainAddress, type IsTrusted } from '../client-address.ts';
import { hostNameOf } from '../router.ts';
import { answer, type StaticAnswer } from '../static/static-answer.ts';
import { servernameOf } from './servername-of.ts';

/** Rules of https: who is sent to it from http, who is told to come by it only, and who by another connection. */
export interface HttpsRules {
  /** Whether an application, by its key, is moved to https; null: the platform itself, at the host that was named. */
  isForHttps: (app: string | null, host?: string) => boolean;
  /** Whether a request for this host came by a connection whose certificate is not for it. */
  isMisdirected: (connection: Duplex & { remoteAddress?: string | undefined }, host: string) => boolean;
  move: (host: string, path: string) => StaticAnswer;
  /** Browsers are to come to this host by https only; undefined: they are told nothing anywhere. */
  isStrict: ((host: string) => boolean) | undefined;
  /** The header that tells browsers so. */
  strictHeader: readonly [name: string, value: string] | null;
}

export interface HttpsRulesOptions {
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'tls'>;
  names: Pick<SecureNames, 'isPublic' | 'isMisdirected'>;
  /** Proxies that may send everything by one connection, whatever name they gave for it. */
  isTrusted: IsTrusted;
  /** The port at which https is served. */
  port: number;
}

const USUAL_PORT = 443;

export function createHttpsRules({ config, names, isTrusted, port }: HttpsRulesOptions): HttpsRules {
  const { publicUrl, appsDomain, tls } = config;
  const isPlatformSecure = publicUrl.protocol === 'https:';
  // There may be a port forwarding in front: the public one is the one people reach.
  const publicPort = isPlatformSecure ? Number(publicUrl.port || USUAL_PORT) : port;
  const portSuffix = publicPort === USUAL_PORT ? '' : `:${publicPort}`;
  return {
    isForHttps: (app, host = '') => {
      if (app !== null && isDomainKey(app)) return names.isPublic(app.slice(0, -1));
      // The operator's word: who says http may have no https that is reached from outside.
      if (!isPlatformSecure) return false;
      return names.isPublic(app === null ? (hostNameOf(host) ?? '') : `${app}.${appsDomain}`);
    },
    isMisdirected: (connection, host) =>
      names.isMisdirected(servernameOf(connection), host) && !isTrusted(plainAddress(connection.remoteAddress ?? '')),
    move: (host, path) =>
      answer(308, [
        ['Location', `https://${hostNameOf(host)}${portSuffix}${path.startsWith('/') ? path : '/'}`],
        ['Cache-Control', 'no-store'],
        ['Content-Length', '0'],
      ]),
    isStrict: tls.hstsSeconds === null ? undefined : (host) => names.isPublic(hostNameOf(host) ?? ''),
    strictHeader: tls.hstsSeconds === null ? null : ['Strict-Transport-Security', `max-age=${tls.hstsSeconds}`],
  };
}
