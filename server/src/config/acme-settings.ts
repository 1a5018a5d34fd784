import { readHostUrl, readNumber, readPath } from './read-values.ts';
import type { Setting } from './setting.ts';
import type { ReadSetting } from './settings.ts';

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';

export const acmeSettings = [
  {
    name: 'LILAC_ACME_DIRECTORY',
    default: LETS_ENCRYPT,
    summary:
      'The certificate authority (ACME) that certificates for custom domains come from; `off` for none. Using one ' +
      'means agreeing to its terms of service.',
  },
  {
    name: 'LILAC_ACME_EMAIL',
    default: '',
    summary: 'Where the certificate authority may write to when something is wrong with a certificate.',
  },
  {
    name: 'LILAC_ACME_CA_FILE',
    default: '',
    summary:
      'Certificates (PEM) to trust besides the usual ones when talking to the certificate authority: for one of your own.',
  },
  {
    name: 'LILAC_ACME_RENEWALS',
    default: '90',
    summary:
      'How many certificates that are good for a while yet are renewed within three hours, those that end first before ' +
      'the others. With the 200 first ones it stays below the 300 orders that Let’s Encrypt allows.',
  },
] as const satisfies readonly Setting[];

export interface AcmeSettings {
  /** Null: no certificates are asked for. */
  directoryUrl: string | null;
  email: string | null;
  caFile: string | null;
  /** How many renewals that can wait are ordered within three hours. */
  renewals: number;
}

export function readAcmeSettings(read: ReadSetting): AcmeSettings {
  const directory = read('LILAC_ACME_DIRECTORY') ?? LETS_ENCRYPT;
  return {
    directoryUrl: directory === 'off' ? null : readHostUrl('LILAC_ACME_DIRECTORY', directory).href,
    email: read('LILAC_ACME_EMAIL') ?? null,
    caFile: readPath(read('LILAC_ACME_CA_FILE')),
    renewals: readNumber('LILAC_ACME_RENEWALS', read('LILAC_ACME_RENEWALS') ?? '90', { min: 1, max: 100_000 }),
  };
}
