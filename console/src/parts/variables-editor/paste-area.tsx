import { type ClipboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { LeaveDialog } from '../leave-dialog.tsx';
import { fileOf, type PastedFile } from './rules.ts';

interface PasteAreaProps {
  onTaken: (file: PastedFile) => void;
  onClose: () => void;
}

/** For a whole `.env`: what is pasted is taken at once, and what is typed or mended when that is done. */
export function PasteArea({ onTaken, onClose }: PasteAreaProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [isRefused, setRefused] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const isPending = text.trim() !== '';
  // Whoever saves or creates meanwhile would do it without what stands here.
  useEffect(() => area.current?.setCustomValidity(isPending ? 'Add this first, or cancel it.' : ''), [isPending]);
  const take = (whole: string) => {
    const file = fileOf({ field: 'name', text: whole });
    if (file) onTaken(file);
    return file !== null;
  };
  const paste = (event: ClipboardEvent) => {
    if (text !== '') return;
    if (take(event.clipboardData.getData('text/plain'))) event.preventDefault();
  };
  return (
    <div className="stack variable-paste">
      {isPending && <LeaveDialog what="The .env text you typed has not been added yet." />}
      <div className="field">
        <label htmlFor={id}>Contents of the .env file</label>
        <textarea
          ref={area}
          id={id}
          className="mono"
          aria-describedby={`${id}-hint`}
          aria-invalid={isRefused}
          placeholder="NAME=value"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={text}
          onPaste={paste}
          onChange={(event) => {
            setText(event.target.value);
            setRefused(false);
          }}
        />
        <p id={`${id}-hint`} className="hint" role="status">
          {isRefused ? 'No line has a name, an = and a value.' : 'Existing names get the new value.'}
        </p>
      </div>
      <div className="actions">
        <Button onClick={() => setRefused(!take(text))}>Add these</Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
