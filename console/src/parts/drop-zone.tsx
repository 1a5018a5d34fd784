import './drop-zone.css';
import { type DragEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { describeNothing } from '../lib/describe-left-out.ts';
import { droppedOf, isZip, notZip } from '../lib/dropped-entries.ts';
import type { Dropped } from '../lib/dropped-file.ts';
import { Refusal } from '../lib/refusal.ts';
import { folderOfFiles, folderOfTransfer, type SourceFolder } from '../lib/source-folder.ts';
import { unwrapZip } from '../lib/zip-files/unwrap-zip.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface DropZoneProps {
  onDropped: (dropped: Dropped) => void;
}

const HINT =
  'Of a folder, node_modules, .git, what .gitignore and .lilacignore name, and files with secrets such as .env are left out. A zip is sent as it is.';
const STILL_READING = 'Only one can be deployed, and what you gave first is still being read. This one was not taken.';
const UNREADABLE = 'That could not be read. Choose it with the button instead, or pack it into a zip first.';

/**
 * A zip, a folder, a page or loose files, dropped or chosen. One is taken at a time, and none once the place for it is
 * gone.
 */
export function DropZone({ onDropped }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isReading = useRef(false);
  const isThere = useIsThere();
  const take = async (top: SourceFolder, isZipWanted = false) => {
    if (isReading.current) return setProblem(STILL_READING);
    isReading.current = true;
    setProblem(null);
    try {
      const dropped = await readDropped(top, isZipWanted);
      // At once: where this place goes with it, nobody drops another here meanwhile.
      if (isThere.current) flushSync(() => onDropped(dropped));
    } catch (error) {
      setProblem(error instanceof Refusal ? error.message : UNREADABLE);
    } finally {
      isReading.current = false;
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    // Read before the event is over: afterwards the browser has emptied it.
    void take(folderOfTransfer(event.dataTransfer));
  };
  const dragOver = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div
      className={isOver ? 'drop-zone drop-zone-over' : 'drop-zone'}
      role="group"
      aria-label="Files to deploy"
      onDragOver={dragOver}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="folder" />
      <p>Drop a zip or a folder here</p>
      <div className="actions">
        <FileButton
          label="Choose a zip"
          accept=".zip,application/zip"
          onFiles={(files) => void take(folderOfFiles(files), true)}
        />
        <FileButton label="Choose a folder" isFolder onFiles={(files) => void take(folderOfFiles(files))} />
      </div>
      <p className="hint">{HINT}</p>
      {problem && (
        <p className="notice notice-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Whoever closed a dialog or left a page while their files were being read means them no more. */
function useIsThere(): RefObject<boolean> {
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => void (isThere.current = false);
  }, []);
  return isThere;
}

/** Throws a `Refusal` for what cannot be deployed. */
async function readDropped(top: SourceFolder, isZipWanted: boolean): Promise<Dropped> {
  const dropped = await droppedOf(top);
  const archive = 'archive' in dropped ? dropped.archive : null;
  if (archive ? !(await isZip(archive)) : isZipWanted) throw new Refusal(notZip(await firstFileOf(top)));
  if ('files' in dropped && dropped.files.length === 0) throw new Refusal(describeNothing(dropped.leftOut));
  return archive ? await unwrap({ name: dropped.name, archive }) : dropped;
}

async function firstFileOf(top: SourceFolder): Promise<string> {
  const [name = ''] = (await top.list()).files.keys();
  return name;
}

/** Zipping a folder puts everything into that folder, and the platform wants the project at the top. */
async function unwrap({ name, archive }: { name: string; archive: Blob }): Promise<Dropped> {
  const unwrapped = await unwrapZip(archive);
  return unwrapped ? { name, archive: unwrapped.archive, unwrapped: unwrapped.folder } : { name, archive };
}

interface FileButtonProps {
  label: string;
  accept?: string;
  isFolder?: boolean;
  onFiles: (files: File[]) => void;
}

/** The button is what one sees and reaches by the keyboard; the field behind it opens the browser's own dialog. */
function FileButton({ label, accept, isFolder = false, onFiles }: FileButtonProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        id={id}
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        {...(isFolder && { webkitdirectory: '' })}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // The same file can be chosen again after it was changed.
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button onClick={() => input.current?.click()}>{label}</Button>
    </>
  );
}
