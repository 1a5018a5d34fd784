import { useState } from 'react';
import { TextField } from '../../parts/field.tsx';

interface NetworkFieldsProps {
  isPublic: boolean;
  networks: readonly string[];
}

/** Who reaches it from where. */
export function NetworkFields({ isPublic: wasPublic, networks }: NetworkFieldsProps) {
  const [isPublic, setPublic] = useState(wasPublic);
  return (
    <>
      <label className="check">
        <input type="checkbox" name="public" checked={isPublic} onChange={(event) => setPublic(event.target.checked)} />
        <span>
          Public address
          <span className="hint"> – without it only your own applications here reach it.</span>
        </span>
      </label>
      {isPublic && (
        <TextField
          label="Networks that may connect"
          name="networks"
          className="mono"
          rows={3}
          defaultValue={networks.join('\n')}
          placeholder="203.0.113.0/24"
          spellCheck={false}
          hint="One in a line. Empty: from anywhere. Your own applications always get in."
        />
      )}
    </>
  );
}
