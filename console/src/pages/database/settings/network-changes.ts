import type { FormValues } from '../../../parts/form.tsx';
import { readNetworks } from '../../databases/new-database.ts';

interface Shown {
  public_ip_enabled: boolean;
  authorized_networks: readonly string[];
}

interface NetworkChanges {
  publicIpEnabled?: boolean;
  authorizedNetworks?: string[];
}

/** What nobody changed here is left out: a colleague may have. Without a public address no networks are shown. */
export function networkChanges(shown: Shown, values: FormValues): NetworkChanges {
  const isPublic = values['public'] === 'on';
  const networks = isPublic ? readNetworks(values['networks'] ?? '') : shown.authorized_networks;
  return {
    ...(isPublic !== shown.public_ip_enabled && { publicIpEnabled: isPublic }),
    ...(networks.join(' ') !== shown.authorized_networks.join(' ') && { authorizedNetworks: [...networks] }),
  };
}
