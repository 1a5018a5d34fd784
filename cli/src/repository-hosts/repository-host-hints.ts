import type { OutputOf } from '@lilac/contract/endpoint';
import type { EndpointName, Endpoints } from '@lilac/contract/endpoints';

type Hints = { [E in EndpointName]?: (answer: OutputOf<Endpoints[E]>) => string | null };

const NOT_SET_UP = 'Whoever runs the platform has to set up this host first: lilac admin vcs setup';

const hints: Hints = {
  'vcs-app.repositories': whenEmpty('No installation is linked that reaches one. To link one: lilac vcs install'),
  'vcs-app.organisation-installations': whenEmpty('To link one: lilac vcs install'),
  'vcs-app.installation-status': afterInstallationStatus,
  'provider2.repositories': whenEmpty('No connection is linked that reaches one. To link one: lilac provider2 connect'),
  'provider2.connections': whenEmpty('To link one: lilac provider2 connect'),
  'provider2.connection-status': (status) => afterConnectionStatus(status, 'lilac provider2 connect'),
  'provider3.repositories': whenEmpty('No connection is linked that reaches one. To link one: lilac provider3 connect'),
  'provider3.connections': whenEmpty('To link one: lilac provider3 connect'),
  'provider3.connection-status': (status) => afterConnectionStatus(status, 'lilac provider3 connect'),
};

/** What to do next about an answer that shows that something is lacking; of a part nobody can say so. */
export function hintAfter(
  endpoint: EndpointName,
  answer: unknown,
  { isPartial }: { isPartial: boolean },
): string | null {
  if (isPartial) return null;
  const hint = hints[endpoint] as ((answer: unknown) => string | null) | undefined;
  return hint?.(answer) ?? null;
}

function whenEmpty(hint: string) {
  return (list: readonly unknown[]): string | null => (list.length === 0 ? hint : null);
}

function afterInstallationStatus(status: OutputOf<Endpoints['vcs-app.installation-status']>): string | null {
  if (!status.configured) return NOT_SET_UP;
  if (!status.installed) {
    return 'To install the app on the account: lilac vcs install. Where it is installed already: lilac vcs link ACCOUNT';
  }
  const where = 'in the settings of the installation at the host, which "lilac vcs installations" shows.';
  if (status.suspended) return `Resume it ${where}`;
  return status.repoAccess ? null : `Grant it the repository ${where}`;
}

function afterConnectionStatus(
  status: OutputOf<Endpoints['provider2.connection-status']>,
  connect: string,
): string | null {
  if (!status.configured) return NOT_SET_UP;
  if (status.trouble) return `Connect again: ${connect}`;
  if (!status.connected) return `To let the platform in: ${connect}`;
  return status.repoAccess ? null : `Connect an account that reads the repository: ${connect}`;
}
