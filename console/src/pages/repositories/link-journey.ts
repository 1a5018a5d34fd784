import type { AttemptState } from '@lilac/contract/states';

/** How far somebody has come who was sent to a host. */
export type Journey =
  | { step: 'at-home' }
  /** `url` where the browser opened no window: then it is for the person to click. */
  | { step: 'away'; url: string | null; message: string | null }
  | { step: 'refused'; message: string }
  | { step: 'linked'; accountLogin: string };

export type JourneyEvent =
  | { event: 'status'; data: { status: AttemptState; message: string | null } }
  | { event: 'linked'; data: { accountLogin: string } };

/** What the stream tells. Of a journey that nobody is on, nothing matters. */
export function advance(journey: Journey, news: JourneyEvent): Journey {
  if (journey.step !== 'away') return journey;
  if (news.event === 'linked') return { step: 'linked', accountLogin: news.data.accountLogin };
  const { status, message } = news.data;
  if (status === 'refused') return { step: 'refused', message: message ?? 'The host refused it.' };
  return { ...journey, message: status === 'waiting' ? null : message };
}
