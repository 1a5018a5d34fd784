import type { ReactNode } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { Badge } from '../../parts/badge.tsx';
import { showMarks } from '../../lib/visible-name.ts';

export type HostSetup = OutputOf<'vcs-setup.show'>['provider2'];

interface HostStandingProps {
  host: HostSetup;
  /** What it is known as, where it is set up. */
  known?: ReactNode;
  /** What was just found out, in place of what is wrong. */
  news?: ReactNode;
}

/** Set up or not, by whom, and what is wrong with it: also what the host itself says, which is asked each time. */
export function HostStanding({ host, known, news }: HostStandingProps) {
  const { configured, enabled, source, trouble } = host;
  if (!enabled) {
    return (
      <>
        <p>
          <Badge>switched off</Badge>{' '}
          <span className="meta">by LILAC_FEATURE_FLAGS; the settings can be kept ready.</span>
        </p>
        {news}
      </>
    );
  }
  return (
    <>
      <p>
        <Standing {...host} /> {configured && known}{' '}
        {source === 'file' && (
          <span className="meta">By the file of LILAC_VCS_APPS_FILE, where it can be changed.</span>
        )}
      </p>
      {news ??
        (trouble !== null && (
          <p className="notice notice-error">
            {configured && `${hostNameOf(host)} has not confirmed it: `}
            {showMarks(trouble)}
          </p>
        ))}
    </>
  );
}

function Standing({ configured, trouble }: Pick<HostSetup, 'configured' | 'trouble'>) {
  if (!configured) return trouble === null ? <Badge>not set up</Badge> : <Badge tone="bad">not usable</Badge>;
  return trouble === null ? <Badge tone="good">set up</Badge> : <Badge tone="bad">not confirmed</Badge>;
}

/** `github.com`, `git.example.org:8443`. */
export function hostNameOf({ hostUrl }: Pick<HostSetup, 'hostUrl'>): string {
  return hostUrl.replace(/^https?:\/\//, '');
}
