import { gitProviders, type GitProvider } from '@lilac/contract/states';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { AppHost, AppSettings, ConnectionHost, OAuthSettings } from '../../../vcs/vcs-host.ts';
import type { VcsHosts } from '../vcs-deps.ts';
import { readHostStates, usableSettings, type HostState, type HostStates, type SettingsDeps } from './read-settings.ts';

/** How hosts are made. Without settings only what everybody may see works. */
export interface HostMakers {
  provider1(settings: AppSettings | null): AppHost;
  provider2(settings: OAuthSettings | null): ConnectionHost;
  provider3(settings: OAuthSettings | null): ConnectionHost;
}

/** So long a change of the settings may stay unseen. */
export const MEMORY_MS = 5000;

interface Made<Host> {
  host: Host;
  isSetUp: boolean;
}

/**
 * The hosts as they are set up at this moment. What an operator changes is seen by every process within seconds, and
 * a host whose settings stay the same stays the same object, with the tokens that it keeps.
 */
export function createVcsHosts(deps: SettingsDeps & { clock: Clock; log: Log; makers: HostMakers }): VcsHosts {
  const { clock, makers } = deps;
  const hosts = {
    provider1: remake((settings: AppSettings | null) => makers.provider1(settings)),
    provider2: remake((settings: OAuthSettings | null) => makers.provider2(settings)),
    provider3: remake((settings: OAuthSettings | null) => makers.provider3(settings)),
  };
  const complain = complainer(deps.log);
  const readStates = remember(clock, async () => {
    const states = await readHostStates(deps);
    complain(states);
    return states;
  });
  const app = async () => hosts.provider1(usableSettings((await readStates()).provider1));
  const connection = async (provider: 'provider2' | 'provider3') =>
    hosts[provider](usableSettings((await readStates())[provider]));
  return {
    app: async () => whenSetUp(await app()),
    connection: async (provider) => whenSetUp(await connection(provider)),
    any: async (provider) => (await (provider === 'provider1' ? app() : connection(provider))).host,
  };
}

function whenSetUp<Host>({ host, isSetUp }: Made<Host>): Host | null {
  return isSetUp ? host : null;
}

/** Makes a host anew only when its settings are others. */
function remake<Settings, Host>(make: (settings: Settings | null) => Host) {
  let last: { key: string; made: Made<Host> } | null = null;
  return (settings: Settings | null): Made<Host> => {
    const key = JSON.stringify(settings);
    if (last?.key !== key) last = { key, made: { host: make(settings), isSetUp: settings !== null } };
    return last.made;
  };
}

/** Those who ask at the same time share one reading; one that failed is not remembered. */
function remember<T>(clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | null = null;
  return () => {
    const now = clock.now().getTime();
    // A clock that was set back must not make the memory longer.
    if (last && Math.abs(now - last.at) < MEMORY_MS) return last.value;
    const reading = { at: now, value: read() };
    last = reading;
    reading.value.catch(() => {
      if (last === reading) last = null;
    });
    return reading.value;
  };
}

/** Says what cannot be used once, and again when it is something else. */
function complainer(log: Log): (states: HostStates) => void {
  const said = new Map<GitProvider, string | null>();
  return (states) => {
    for (const provider of gitProviders) {
      const { trouble }: HostState = states[provider];
      if (trouble !== null && said.get(provider) !== trouble) {
        log.error({ provider }, `The repository host ${provider} counts as not set up. ${trouble}`);
      }
      said.set(provider, trouble);
    }
  };
}
