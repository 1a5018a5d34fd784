import { Badge, type BadgeTone } from './badge.tsx';

const tones: Record<string, BadgeTone> = {
  healthy: 'good',
  ready: 'good',
  issued: 'good',
  building: 'busy',
  deploying: 'busy',
  provisioning: 'busy',
  updating: 'busy',
  renewing: 'busy',
  running: 'busy',
  degraded: 'warning',
  failed: 'bad',
};

/** A state of the API's, in its own word; what is over or has not begun is neutral. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={tones[status] ?? 'neutral'}>{status}</Badge>;
}
