import { readNumber } from './read-values.ts';
import type { Setting } from './setting.ts';
import type { ReadSetting } from './settings.ts';

export const tlsSettings = [
  {
    name: 'LILAC_TLS_PORT',
    default: '7443, where it is free',
    summary: 'The public port for https, owned by the edge too; `off` where a proxy in front does that.',
  },
  {
    name: 'LILAC_HSTS',
    default: 'off',
    summary:
      'For how many seconds browsers are told to come by https only, to names with a certificate of a public ' +
      'authority: 3600 to try it out, then 31536000.',
  },
] as const satisfies readonly Setting[];

export interface TlsSettings {
  /** Null: nobody is served by https here. */
  port: number | null;
  /** The operator has named it, so it must be had; otherwise there is no https where the usual one is taken. */
  isPortRequired: boolean;
  /** Null: browsers are told nothing. */
  hstsSeconds: number | null;
}

export function readTlsSettings(read: ReadSetting): TlsSettings {
  const [port, hsts] = [read('LILAC_TLS_PORT'), read('LILAC_HSTS') ?? 'off'];
  return {
    port: port === 'off' ? null : readNumber('LILAC_TLS_PORT', port ?? '7443', { min: 1, max: 65_535 }),
    isPortRequired: port !== undefined,
    hstsSeconds: hsts === 'off' ? null : readNumber('LILAC_HSTS', hsts, { min: 1, max: 63_072_000 }),
  };
}
