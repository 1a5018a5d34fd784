import { useEffect, useState } from 'react';
import { hasCode } from '../../lib/has-code.ts';
import { useCall } from '../../lib/use-call.ts';
import { Loading } from '../../parts/loading.tsx';
import { NarrowPage } from '../../parts/narrow-page.tsx';
import { OpenPage } from '../../parts/open-page.tsx';
import { AppSection } from './app-section.tsx';
import { ClientSection } from './client-section.tsx';
import { ComeBack } from './come-back.tsx';
import { readArrival, type Arrival } from './manifest-journey.ts';
import { TakeOver } from './take-over.tsx';

/** For the operator: how the platform is known to repository hosts, by the link that `lilac admin vcs setup` prints. */
export function RepositoryHostsPage() {
  const [links, setLinks] = useState(0);
  // The page writes what it came with into its own address too, which begins nothing anew: only who pastes a link does.
  useEffect(() => {
    const begin = () => setLinks((count) => count + 1);
    addEventListener('hashchange', begin);
    return () => removeEventListener('hashchange', begin);
  }, []);
  return <Arrived key={links} />;
}

function Arrived() {
  const [arrival, setArrival] = useState<Arrival>(() => readArrival(location));
  const [news, setNews] = useState<string | null>(null);
  if (arrival.kind === 'incomplete') {
    return <UnusableLink title="The link is incomplete" about="Copy the whole link; the part after # belongs to it." />;
  }
  if (arrival.kind === 'foreign') {
    return (
      <UnusableLink
        title="This was not begun here"
        about="The repository host sent you back, but not to the browser in which you began, or more than 15 minutes later. Nothing was set up."
      />
    );
  }
  if (arrival.kind === 'link') return <Hosts setupToken={arrival.setupToken} news={news} />;
  const { code } = arrival;
  if (arrival.kind === 'returned') {
    const resume = (setupToken: string) => {
      // The cookie gave it once; until the code is used up this address can be loaded again.
      history.replaceState(null, '', `${location.pathname}${location.search}#${setupToken}`);
      setArrival({ kind: 'resumed', setupToken, code });
    };
    return <ComeBack state={arrival.state} onResumed={resume} onForeign={() => setArrival({ kind: 'foreign' })} />;
  }
  const { setupToken } = arrival;
  const goOn = (message: string | null) => {
    // The code is used up, and the link can be reloaded again.
    history.replaceState(null, '', `${location.pathname}#${setupToken}`);
    setNews(message);
    setArrival({ kind: 'link', setupToken });
  };
  return <TakeOver setupToken={setupToken} code={code} onDone={goOn} />;
}

function Hosts({ setupToken, news }: { setupToken: string; news: string | null }) {
  const hosts = useCall('vcs-setup.show', { body: { setupToken } });
  if (hasCode(hosts.error, 'CA002')) {
    return <UnusableLink title="This link cannot be used" about="It has expired, or a newer one has replaced it." />;
  }
  return (
    <OpenPage
      title="Repository hosts"
      about="How this platform is known to the hosts that repositories are at. Until a host is set up, only its public repositories can be deployed, and no push is noticed."
    >
      {news && (
        <p className="notice notice-good" role="status">
          {news}
        </p>
      )}
      <Loading of={hosts}>
        {({ provider1, provider2, provider3 }) => (
          <>
            <AppSection setupToken={setupToken} host={provider1} />
            <ClientSection setupToken={setupToken} provider="provider2" host={provider2} onSaved={hosts.reload} />
            <ClientSection setupToken={setupToken} provider="provider3" host={provider3} onSaved={hosts.reload} />
          </>
        )}
      </Loading>
    </OpenPage>
  );
}

function UnusableLink({ title, about }: { title: string; about: string }) {
  return (
    <NarrowPage title={title} about={about}>
      <p className="about">
        Whoever runs the platform gets a new link with <code>npx lilac admin vcs setup</code>, in the folder that Lilac
        was installed to; it is good for an hour.
      </p>
    </NarrowPage>
  );
}
