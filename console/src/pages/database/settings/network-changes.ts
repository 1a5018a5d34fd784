import type { NetworkDraft } from '../../databases/network-fields.tsx';
import { readNetworks } from '../../databases/new-database.ts';

interface Saved {
  public_ip_enabled: boolean;
  authorized_networks: readonly string[];
}

interface NetworkChanges {
  publicIpEnabled?: boolean;
  authorizedNetworks?: string[];
}

/** What nobody changed here is left out: a colleague may have. Without a public address no networks are shown. */
export function networkChanges(saved: Saved, draft: NetworkDraft): NetworkChanges {
  const { isPublic } = draft;
  const networks = isPublic ? readNetworks(draft.networks) : saved.authorized_networks;
  return {
    ...(isPublic !== saved.public_ip_enabled && { publicIpEnabled: isPublic }),
    ...(networks.join(' ') !== saved.authorized_networks.join(' ') && { authorizedNetworks: [...networks] }),
  };
}
