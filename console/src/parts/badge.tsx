import type { ReactNode } from 'react';

export type BadgeTone = 'good' | 'busy' | 'warning' | 'bad' | 'neutral';

export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
