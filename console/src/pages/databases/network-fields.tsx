import { TextField } from '../../parts/field.tsx';
import { warnOfReach } from './warn-of-reach.ts';

export interface NetworkDraft {
  isPublic: boolean;
  /** One in a line. */
  networks: string;
}

interface NetworkFieldsProps {
  draft: NetworkDraft;
  /** It is being made. */
  isNew?: boolean;
  onEdit: (change: Partial<NetworkDraft>) => void;
}

/** Who reaches it from where. */
export function NetworkFields({ draft: { isPublic, networks }, isNew = false, onEdit }: NetworkFieldsProps) {
  const warning = warnOfReach({ isPublic, networks }, isNew);
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          name="public"
          checked={isPublic}
          onChange={(event) => onEdit({ isPublic: event.target.checked })}
        />
        <span>
          Public address
          <span className="hint"> – without it only your own applications here reach it.</span>
        </span>
      </label>
      {isNew && !isPublic && (
        <p className="hint">
          Connect it to your applications on its page, where you can also browse its data. For programs elsewhere it can
          have a public address at any time, by its settings.
        </p>
      )}
      {isPublic && (
        <TextField
          label="Networks that may connect"
          name="networks"
          className="mono"
          rows={3}
          value={networks}
          onChange={(event) => onEdit({ networks: event.target.value })}
          placeholder="203.0.113.0/24"
          spellCheck={false}
          hint="One per line. Leave empty to allow any address. Your own applications always have access."
        />
      )}
      {warning && <p className="notice notice-warning">{warning}</p>}
    </>
  );
}
