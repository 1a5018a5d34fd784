import type { ReactNode } from 'react';
import { Link } from '../../lib/router.tsx';
import type { Application } from './application-page.tsx';
import { usePushObstacle } from './use-push-obstacle.ts';

interface PushOfferProps {
  application: Application;
  /** What is on can be switched off, whether or not it does anything. */
  isOn?: boolean;
  children: ReactNode;
}

/** What a push may do, where the host can tell of one; where it cannot, why. */
export function PushOffer({ application, isOn = false, children }: PushOfferProps) {
  const obstacle = usePushObstacle(application);
  if (isOn || obstacle === null) return children;
  if (!obstacle) return null;
  return (
    <p className="about">
      A push deploys nothing by itself. {obstacle.why}{' '}
      {obstacle.isMendable && (
        <>
          What to do about it is under <Link href="/repositories">Repositories</Link>.
        </>
      )}
    </p>
  );
}
