import { Fault } from '../../../lib/fault.ts';
import { HostUnavailable, type AppHost, type SignInHost } from '../../../vcs/vcs-host.ts';

export interface HostFinding {
  isGood: boolean;
  /** For people. */
  found: string;
}

/** No host ever gave it. One that knows the client says that the code is not good; else it refuses the client. */
const NO_CODE = 'lilac-admin-vcs-check';

/** Asks a host whether it knows the platform by its settings, as far as that can be told without a person. */
export async function checkHost(host: SignInHost, redirectUrl: string): Promise<HostFinding> {
  try {
    const found = isAppHost(host) ? await checkApp(host) : 'the host knows the client';
    await checkClient(host, redirectUrl);
    return { isGood: true, found };
  } catch (error) {
    if (!(error instanceof Fault || error instanceof HostUnavailable)) throw error;
    return { isGood: false, found: error.message };
  }
}

/** Signed by the app's key, so the id and the key belong together. */
async function checkApp(host: AppHost): Promise<string> {
  const { length } = await host.listInstallations();
  return `the host knows the app and its client; it is installed at ${length} ${length === 1 ? 'account' : 'accounts'}`;
}

async function checkClient(host: SignInHost, redirectUrl: string): Promise<void> {
  try {
    await host.redeemCode({ code: NO_CODE, redirectUrl });
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'VA001')) throw error;
  }
}

function isAppHost(host: SignInHost): host is AppHost {
  return host.provider === 'provider1';
}
