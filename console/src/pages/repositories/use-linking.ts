import type { GitProvider } from '@lilac/contract/states';
import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useStream } from '../../lib/use-stream.ts';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { advance, type Journey, type JourneyEvent } from './link-journey.ts';

export interface Linking {
  journey: Journey;
  /** Opens the window of the host. */
  begin: () => void;
  isBusy: boolean;
  /** Why it could not be begun. */
  error: unknown;
  giveUp: () => void;
}

/** To the host in a window of its own, and back: this page hears of it by itself. */
export function useLinking(provider: GitProvider, onLinked: () => void): Linking {
  const organisationId = useMember().organisation.id;
  const [journey, setJourney] = useState<Journey>({ step: 'at-home' });
  const hear = (news: unknown) => {
    const next = advance(journey, news as JourneyEvent);
    setJourney(next);
    if (next.step === 'linked') onLinked();
  };
  const input = { params: { organisationId } };
  const ofHost = (which: GitProvider) => (journey.step === 'away' && which === provider ? input : null);
  useStream('vcs-app.stream', ofHost('provider1'), hear);
  useStream('provider2.stream', ofHost('provider2'), hear);
  useStream('provider3.stream', ofHost('provider3'), hear);
  const { run, isBusy, error } = useAction(async () => {
    // Opened at once: a browser lets nobody open windows later than at the click.
    const away = open('about:blank', '_blank');
    try {
      const { url } = await addressAt(provider, organisationId);
      if (away) leaveTo(away, url);
      setJourney({ step: 'away', url: away ? null : url, message: null });
    } catch (refusal) {
      away?.close();
      throw refusal;
    }
  });
  return { journey, begin: () => void run(), isBusy, error, giveUp: () => setJourney({ step: 'at-home' }) };
}

/** The host gets no hold of this page. */
function leaveTo(away: Window, url: string): void {
  away.opener = null;
  away.location.href = url;
}

async function addressAt(provider: GitProvider, organisationId: string): Promise<{ url: string }> {
  const input = { query: { organisationId } };
  if (provider === 'provider1') return await browserSession.call('vcs-app.install', input);
  return await browserSession.call(`${provider}.connect`, input);
}
