import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import type { AcmeSettings } from '../../config/acme-settings.ts';

/** Whom to trust when talking to the authority, PEM: the usual ones, and the operator's own; undefined: as usual. */
export function trustedBy({ caFile }: Pick<AcmeSettings, 'caFile'>): readonly string[] | undefined {
  return caFile === null ? undefined : [...getCACertificates('default'), readFileSync(caFile, 'utf8')];
}
