import './repositories.css';
import { nameHost } from '../../lib/repository-hosts.ts';
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
        {({ repositoryHosts }) =>
          repositoryHosts
            .filter(({ enabled }) => enabled)
            .map((host) => (
              <Section key={host.id} title={nameHost(host)}>
                {!host.configured && <NotSetUp />}
                {host.configured && host.id === 'provider1' && <Installations host={host} />}
                {host.configured && host.id !== 'provider1' && <Connections host={host} provider={host.id} />}
              </Section>
            ))
        }
      </Loading>
    </Page>
  );
}

/** Whoever runs the platform does it by a link of their own, for it needs secrets of the host. */
function NotSetUp() {
  return (
    <p className="about">
      Not set up on this platform. Whoever runs it enters <code>lilac admin vcs setup</code> on its machine: that prints
      a link to a page where it is done in a few minutes.
    </p>
  );
}
