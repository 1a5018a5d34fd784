import type { Config } from '../../config.ts';
import { createHostTools, NetworkFailure, type HostTools } from '../../runtime/network/host-tools.ts';
import { installationId } from '../../runtime/network/names.ts';
import { limitRules, limitTable, type SourceLimit } from './limit-rules.ts';

/**
 * How many connections to a server one machine out there may have. A server gives each of them one of its places
 * before it knows who comes, and so strangers could take all of them; that nobody is let in by their address does not
 * keep them from waiting at the door. Kept by the kernel (nftables), and lasts, whoever set it may end.
 */
export interface SourceLimits {
  /** Sets right what others have changed, and forgets the ports that are not among these. */
  hold(limits: readonly SourceLimit[], ownNetworks: readonly string[]): Promise<void>;
  /** Whether there are any. */
  isHeld(): Promise<boolean>;
  /** Why this machine cannot; null: it can. */
  obstacle(): Promise<string | null>;
}

export function createSourceLimits(
  { config }: { config: Pick<Config, 'home'> },
  tools: HostTools = createHostTools(),
): SourceLimits {
  const id = installationId(config.home);
  return {
    async hold(limits, ownNetworks) {
      await tools.run(['nft', '-f', '-'], limitRules(id, limits, ownNetworks));
    },
    async isHeld() {
      const tables = await tools.run(['nft', 'list', 'tables']);
      return tables.split('\n').includes(`table inet ${limitTable(id)}`);
    },
    async obstacle() {
      if (process.getuid?.() !== 0) return 'The platform is not root.';
      try {
        // Tried out in a network that is thrown away: that nft is there says little.
        const probe = limitRules('probe', [{ port: 1, most: 1 }], ['10.0.0.0/8']);
        await tools.run(['unshare', '--net', 'nft', '-f', '-'], probe);
        return null;
      } catch (error) {
        if (error instanceof NetworkFailure) return error.message;
        throw error;
      }
    },
  };
}
