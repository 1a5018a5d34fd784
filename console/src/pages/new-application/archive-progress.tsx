import { formatSize } from '@lilac/contract/format-size';
import { Button } from '../../parts/button.tsx';
import type { ArchiveState } from './use-archive.ts';

type Moving = Extract<ArchiveState, { step: 'packing' | 'sending' }>;

export function ArchiveProgress({ state, onCancel }: { state: Moving; onCancel: () => void }) {
  const share = shareOf(state);
  return (
    <div className="stack">
      <div
        className="meter"
        role="progressbar"
        aria-label={state.step === 'packing' ? 'Packing' : 'Uploading'}
        aria-valuenow={Math.round(share * 100)}
      >
        <div style={{ width: `${share * 100}%` }} />
      </div>
      <div className="actions">
        <span className="grows">{describe(state)}</span>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}

function shareOf(state: Moving): number {
  return state.step === 'packing' ? state.doneFiles / state.allFiles : state.sentBytes / state.allBytes;
}

function describe(state: Moving): string {
  if (state.step === 'packing') return `Packing: ${state.doneFiles} of ${state.allFiles} files`;
  const { sentBytes, allBytes } = state;
  if (sentBytes === allBytes) return 'Looking into it…';
  return `Uploading: ${formatSize(sentBytes)} of ${formatSize(allBytes)}`;
}
