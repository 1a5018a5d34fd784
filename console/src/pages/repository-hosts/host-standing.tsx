import type { ReactNode } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { Badge } from '../../parts/badge.tsx';

export type HostSetup = OutputOf<'vcs-setup.show'>['provider2'];

interface HostStandingProps {
  host: HostSetup;
  /** What it is known as, where it is set up. */
  known?: ReactNode;
}

/** Set up or not, by whom, and what is wrong with it. */
export function HostStanding({ host: { configured, enabled, source, trouble }, known }: HostStandingProps) {
  if (!enabled) {
    return (
      <p>
        <Badge>switched off</Badge>{' '}
        <span className="meta">by LILAC_FEATURE_FLAGS; the settings can be kept ready.</span>
      </p>
    );
  }
  if (trouble !== null) {
    return (
      <>
        <p>
          <Badge tone="bad">not usable</Badge>
        </p>
        <p className="notice notice-error">{trouble}</p>
      </>
    );
  }
  return (
    <p>
      {configured ? <Badge tone="good">set up</Badge> : <Badge>not set up</Badge>} {configured && known}{' '}
      {source === 'file' && <span className="meta">By the file of LILAC_VCS_APPS_FILE, where it can be changed.</span>}
    </p>
  );
}

/** `github.com`, `git.example.org:8443`. */
export function hostNameOf({ hostUrl }: Pick<HostSetup, 'hostUrl'>): string {
  return hostUrl.replace(/^https?:\/\//, '');
}
