import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copyable.tsx';

/** Shown once: each replaces the app's code a single time. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <div className="stack">
      <p role="status">
        Keep these recovery codes somewhere safe. Each lets you in once when the app is lost, and they are not shown
        again.
      </p>
      <ol className="codes mono" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Copyable label="All of them" value={codes.join(' ')} />
      <div className="actions">
        <Button look="primary" onClick={onDone}>
          I have kept them
        </Button>
      </div>
    </div>
  );
}
