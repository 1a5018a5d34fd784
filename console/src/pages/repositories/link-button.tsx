import type { ReactNode } from 'react';
import { products, type RepositoryHost } from '../../lib/repository-hosts.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import type { Journey } from './link-journey.ts';
import type { Linking } from './use-linking.ts';
import { Name } from '../../parts/name.tsx';

interface LinkButtonProps {
  host: RepositoryHost;
  linking: Linking;
  /** Where some are linked already, another is nothing to press for. */
  isFirst: boolean;
  label: string;
  /** Further buttons beside it. */
  children?: ReactNode;
}

/** Leads to the host, and says how it went. */
export function LinkButton({ host, linking, isFirst, label, children }: LinkButtonProps) {
  const { journey, isBusy, error, begin, giveUp } = linking;
  return (
    <>
      {journey.step !== 'away' && (
        <div className="actions">
          <Button look={isFirst ? 'primary' : 'plain'} isBusy={isBusy} onClick={begin}>
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
    <div className="notice link-waiting">
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
