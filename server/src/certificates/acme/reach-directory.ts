import { Client } from 'acme-client';
import type { AcmeSettings } from '../../config/acme-settings.ts';
import { systemClock } from '../../lib/clock.ts';
import { newPrivateKey } from '../new-private-key.ts';
import { withTransport } from './acme-transport.ts';
import { trustedBy } from './trusted-by.ts';

const PATIENCE_MS = 10_000;

/** Whether the authority answers, without an account. Fails with what is wrong. */
export async function reachDirectory(
  settings: Pick<AcmeSettings, 'caFile'> & { directoryUrl: string },
  hostVariables: Readonly<Record<string, string>>,
): Promise<void> {
  const { directoryUrl } = settings;
  const transport = {
    ca: trustedBy(settings),
    hostVariables,
    signal: AbortSignal.timeout(PATIENCE_MS),
    clock: systemClock,
  };
  await withTransport(transport, () =>
    new Client({ directoryUrl, accountKey: newPrivateKey() }).getTermsOfServiceUrl(),
  );
}
