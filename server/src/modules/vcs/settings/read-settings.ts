import { gitProviders, type GitProvider } from '@lilac/contract/states';
import { Fault } from '../../../lib/fault.ts';
import { SealedValueError } from '../../../secrets/envelope.ts';
import type { SealedPlace } from '../../../secrets/keyring.ts';
import { isEnabled } from '../../catalogue/feature-flags.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { AppsFileError, readAppsFile } from './apps-file.ts';
import { readHostSettings, type HostSettings } from './host-settings.ts';
import { listSealedSettings } from './settings-store.ts';

/** How one host is set up. */
export interface HostState<P extends GitProvider = GitProvider> {
  /** False: switched off by LILAC_FEATURE_FLAGS, whatever the settings. */
  isEnabled: boolean;
  /** Null where there are none, or none that can be used. */
  settings: HostSettings[P] | null;
  source: 'store' | 'file' | null;
  /** Why what there is cannot be used, for people. */
  trouble: string | null;
}

export type HostStates = { [P in GitProvider]: HostState<P> };

export interface SettingsDeps {
  config: Pick<VcsDeps['config'], 'vcsAppsFile' | 'featureSwitches'>;
  keyring: VcsDeps['keyring'];
  store: Pick<VcsDeps['store'], 'db'>;
}

type Found<P extends GitProvider> = Omit<HostState<P>, 'isEnabled'>;

/**
 * The operator's file names a host, or else the store does. A file that cannot be used leaves every host without
 * settings: falling back on what the store holds would be another app than the one that is meant.
 */
export async function readHostStates(deps: SettingsDeps): Promise<HostStates> {
  const find = await finderOf(deps);
  const stateOf = <P extends GitProvider>(provider: P): HostState<P> => ({
    isEnabled: isHostEnabled(deps.config, provider),
    ...find(provider),
  });
  return {
    provider1: stateOf('provider1'),
    provider2: stateOf('provider2'),
    provider3: stateOf('provider3'),
  };
}

/** The same of one host by the operator's file alone, for who cannot ask the store. Null: the file does not name it. */
export function readHostStateOfFile(config: SettingsDeps['config'], provider: GitProvider): HostState | null {
  const found = finderInFile(config)(provider);
  return found && { isEnabled: isHostEnabled(config, provider), ...found };
}

function isHostEnabled(config: SettingsDeps['config'], provider: GitProvider): boolean {
  return provider === 'provider1' || isEnabled(config, provider);
}

/** What may be used: a host that is switched off counts as not set up. */
export function usableSettings<P extends GitProvider>({ isEnabled, settings }: HostState<P>): HostSettings[P] | null {
  return isEnabled ? settings : null;
}

async function finderOf(deps: SettingsDeps): Promise<<P extends GitProvider>(provider: P) => Found<P>> {
  const findInFile = finderInFile(deps.config);
  const isAllInFile = gitProviders.every((provider) => findInFile(provider) !== null);
  const stored = isAllInFile ? new Map<GitProvider, string>() : await readStored(deps);
  return <P extends GitProvider>(provider: P): Found<P> => {
    const inFile = findInFile(provider);
    if (inFile !== null) return inFile;
    const sealed = stored.get(provider);
    if (sealed === undefined) return { settings: null, source: null, trouble: null };
    return openStored(deps, provider, sealed);
  };
}

/** Null for a host of which the file says nothing. */
function finderInFile({
  vcsAppsFile,
}: SettingsDeps['config']): <P extends GitProvider>(provider: P) => Found<P> | null {
  if (vcsAppsFile === null) return () => null;
  try {
    const file = readAppsFile(vcsAppsFile);
    return (provider) => {
      const settings = file[provider];
      return settings === undefined ? null : { settings, source: 'file', trouble: null };
    };
  } catch (error) {
    if (!(error instanceof AppsFileError)) throw error;
    return () => ({ settings: null, source: 'file', trouble: error.message });
  }
}

async function readStored({ store }: SettingsDeps): Promise<Map<GitProvider, string>> {
  const rows = await listSealedSettings(store.db);
  return new Map(rows.map(({ provider, settings }) => [provider, settings]));
}

function openStored<P extends GitProvider>({ keyring }: SettingsDeps, provider: P, sealed: string): Found<P> {
  try {
    const settings = readHostSettings(provider, JSON.parse(keyring.open(sealed, placeOfSettings(provider))));
    return { settings, source: 'store', trouble: null };
  } catch (error) {
    if (!(error instanceof SealedValueError || error instanceof Fault)) throw error;
    return { settings: null, source: 'store', trouble: error.message };
  }
}

export function placeOfSettings(provider: GitProvider): SealedPlace {
  return { table: 'vcs_hosts', column: 'settings', row: provider };
}
