import { existsSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import type { GitProvider } from '@lilac/contract/states';
import { pathsOf, type Config } from '../../config.ts';
import { hostAddresses } from '../../modules/vcs/settings/host-addresses.ts';
import { readHostStateOfFile, readHostStates, type HostState } from '../../modules/vcs/settings/read-settings.ts';
import { openKeyring } from '../../secrets/key-file.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { KeyFileError } from '../../secrets/stored-keys.ts';
import { ok, warn, type Check, type CheckedHost, type CheckFamily, type Finding } from './check.ts';
import { lookIntoStore } from './look-into-store.ts';

export const vcsChecks: CheckFamily = {
  title: 'Repository hosts',
  checks: [checkOf('provider1', 'First host'), checkOf('provider2', 'Second host'), checkOf('provider3', 'Third host')],
};

function checkOf(provider: GitProvider, title: string): Check {
  return { id: `vcs.${provider}`, title, needsHome: () => true, look: (host) => lookAtHost(host, provider) };
}

async function lookAtHost(host: CheckedHost, provider: GitProvider): Promise<Finding> {
  const { config } = host;
  const inFile = readHostStateOfFile(config, provider);
  if (inFile) return judgeHost(config, provider, inFile);
  const keyring = findKeyring(config);
  if (!keyring) return ok('not looked at, see Key file');
  return await lookIntoStore(host, async (db) => {
    const states = await readHostStates({ config, store: { db }, keyring });
    return judgeHost(config, provider, states[provider]);
  });
}

/** Looking must not make one. What is wrong with it is said by who looks at it. */
function findKeyring(config: Config): Keyring | null {
  const path = pathsOf(config).keyring;
  try {
    return existsSync(path) ? openKeyring(path) : null;
  } catch (error) {
    if (error instanceof KeyFileError) return null;
    throw error;
  }
}

type Judged = Pick<HostState, 'isEnabled' | 'source' | 'trouble'>;

export function judgeHost(
  config: Pick<Config, 'publicUrl' | 'vcsUrls'>,
  provider: GitProvider,
  { isEnabled, source, trouble }: Judged,
): Finding {
  const { hostUrl } = hostAddresses(config, provider);
  if (!isEnabled) return ok(`${hostUrl}: switched off by LILAC_FEATURE_FLAGS`);
  if (trouble !== null) {
    return warn(`${hostUrl}: counts as not set up. ${trouble}`, 'Mend it; the server follows within seconds.');
  }
  if (source === null) return ok(`${hostUrl}: not set up, so public repositories only (lilac admin vcs setup)`);
  const found = `${hostUrl}: set up${source === 'file' ? ' by the file of LILAC_VCS_APPS_FILE' : ''}`;
  if (isLocal(config.publicUrl) && !isLocal(config.vcsUrls[provider])) {
    return warn(
      `${found}, but ${config.publicUrl.origin} leads nowhere from there: pushes will not be told`,
      'Set LILAC_PUBLIC_URL to an address that the host can reach.',
    );
  }
  return ok(`${found} (to ask it: lilac admin vcs check ${provider})`);
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Names and addresses that mean, to everybody, their own machine. */
function isLocal({ hostname }: URL): boolean {
  const name = hostname.replace(/^\[|\]$/g, '');
  if (isIP(name)) return loopback.check(name, isIP(name) === 6 ? 'ipv6' : 'ipv4');
  return name === 'localhost' || name.endsWith('.localhost');
}
