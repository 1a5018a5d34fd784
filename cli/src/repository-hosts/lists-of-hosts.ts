import type { EndpointName } from '@lilac/contract/endpoints';

/** What names things by more than an id of ours: which command lists them. */
export const listsOfHosts: Partial<Record<EndpointName, string>> = {
  'vcs-app.branches': 'vcs repos',
  'vcs-app.link-installation': 'vcs visible-installations',
  'vcs-app.unlink-installation': 'vcs installations',
  'vcs-app.uninstall': 'vcs installations',
  'provider2.branches': 'provider2 repos',
  'provider2.link-connection': 'provider2 own-connections',
  'provider2.unlink-connection': 'provider2 connections',
  'provider2.disconnect': 'provider2 own-connections',
  'provider3.branches': 'provider3 repos',
  'provider3.link-connection': 'provider3 own-connections',
  'provider3.unlink-connection': 'provider3 connections',
  'provider3.disconnect': 'provider3 own-connections',
};
