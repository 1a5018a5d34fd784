import type { ReactNode } from 'react';
import { products, type RepositoryHost } from '../../lib/repository-hosts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import type { Journey } from './link-journey.ts';
import { useLinkJourney } from './use-link-journey.ts';
import { Name } from '../../parts/name.tsx';

interface LinkButtonProps {
  host: RepositoryHost;
  /** Where some are linked already, another is nothing to press for. */
  isFirst: boolean;
  label: string;
  onLinked: () => void;
  /** Further buttons beside it. */
  children?: ReactNode;
}

/** Leads to the host, and says how it went. */
export function LinkButton({ host, isFirst, label, onLinked, children }: LinkButtonProps) {
  const { journey, begin, giveUp } = useLinkJourney(host.id, onLinked);
  const { run, isBusy, error } = useAction(begin);
  return (
    <>
      {journey.step !== 'away' && (
        <div className="actions">
          <Button look={isFirst ? 'primary' : 'plain'} isBusy={isBusy} onClick={() => void run()}>
            {label}
          </Button>
          {children}
        </div>
      )}
      <div role="status" className="link-news">
        <News journey={journey} product={products[host.id]} onGiveUp={giveUp} />
      </div>
      <ErrorNotice error={error} />
    </>
  );
}

interface NewsProps {
  journey: Journey;
  product: string;
  onGiveUp: () => void;
}

function News({ journey, product, onGiveUp }: NewsProps) {
  if (journey.step === 'linked')
    return (
      <p className="notice notice-good">
        <Name of={journey.accountLogin} /> is linked.
      </p>
    );
  if (journey.step === 'refused') return <p className="notice notice-error">{journey.message}</p>;
  if (journey.step === 'at-home') return null;
  return (
    <div className="notice">
      <p>
        {journey.message ??
          `Go on in the window of ${product}. When you have said yes there, it is linked here by itself.`}
      </p>
      <div className="actions">
        {journey.url && (
          <a className="button button-primary" href={journey.url} target="_blank" rel="noopener noreferrer">
            Go to {product}
          </a>
        )}
        <Button onClick={onGiveUp}>Stop waiting</Button>
      </div>
    </div>
  );
}
