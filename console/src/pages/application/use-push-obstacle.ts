import type { GitProvider } from '@lilac/contract/states';
import { useCall } from '../../lib/use-call.ts';
import { useMember } from '../../shell/member-context.ts';
import type { Application } from './application-page.tsx';
import { type LinkedAccount, type PushObstacle, pushObstacle } from './push-obstacle.ts';

/** Undefined until it is known; null also where nobody can say: the platform tells afterwards what is wrong. */
export function usePushObstacle(application: Application): PushObstacle | null | undefined {
  const platform = useCall('config.platform', {});
  const host = platform.data?.repositoryHosts.find(({ id }) => id === application.git_provider);
  const isReady = host !== undefined && host.enabled && host.configured;
  const { accounts, error } = useLinkedAccounts(isReady ? application.git_provider : null);
  if (platform.error !== undefined || error !== undefined) return null;
  if (!platform.data || (isReady && !accounts)) return undefined;
  return pushObstacle(application, { host, accounts: accounts ?? [] });
}

function useLinkedAccounts(provider: GitProvider | null): { accounts: LinkedAccount[] | undefined; error: unknown } {
  const input = { params: { orgId: useMember().organisation.id } };
  const ofHost = (which: GitProvider) => (which === provider ? input : null);
  const installations = useCall('vcs-app.organisation-installations', ofHost('provider1'));
  const connections = [
    useCall('provider2.connections', ofHost('provider2')),
    useCall('provider3.connections', ofHost('provider3')),
  ];
  const connected = connections.find(({ data }) => data)?.data;
  return {
    accounts:
      installations.data?.map(({ accountLogin, suspended }) => ({ login: accountLogin, isUsable: !suspended })) ??
      connected?.map(({ accountLogin, trouble }) => ({ login: accountLogin, isUsable: trouble === null })),
    error: [installations, ...connections].find((each) => each.error !== undefined)?.error,
  };
}
