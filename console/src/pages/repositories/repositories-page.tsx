import './repositories.css';
import { nameHost, type RepositoryHost } from '../../lib/repository-hosts.ts';
import { useCall } from '../../lib/use-call.ts';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { Connections } from './connections.tsx';
import { Installations } from './installations.tsx';

/** What the organisation reaches at the repository hosts, and by whom. */
export function RepositoriesPage() {
  const platform = useCall('config.platform', {});
  return (
    <Page
      title="Repositories"
      about="Public repositories need nothing. To deploy private ones, and with every push, link an account that reaches them."
    >
      <Loading of={platform}>
        {({ repositoryHosts }) => {
          const enabled = repositoryHosts.filter((host) => host.enabled);
          return (
            <>
              {enabled
                .filter(({ configured }) => configured)
                .map((host) => (
                  <Section key={host.id} title={nameHost(host)}>
                    {host.id === 'provider1' ? (
                      <Installations host={host} />
                    ) : (
                      <Connections host={host} provider={host.id} />
                    )}
                  </Section>
                ))}
              <NotSetUp hosts={enabled.filter(({ configured }) => !configured)} />
            </>
          );
        }}
      </Loading>
    </Page>
  );
}

/** Whoever runs the platform does it by a link of their own, for it needs secrets of the host. */
function NotSetUp({ hosts }: { hosts: readonly RepositoryHost[] }) {
  if (hosts.length === 0) return null;
  return (
    <Section title={hosts.map(nameHost).join(', ')}>
      <p className="about">
        Not set up on this platform. Whoever runs it enters <code>npx lilac admin vcs setup</code> on its machine, in
        the folder that Lilac was installed to: that prints a link to a page where it is done in a few minutes.
      </p>
    </Section>
  );
}
