import { Name } from '../parts/name.tsx';
/** The switcher above has changed without anybody touching it. */
export function MovedNotice({ name }: { name: string }) {
  return (
    <p className="notice from-shell" role="status">
      This belongs to{' '}
      <strong>
        <Name of={name} />
      </strong>
      , so you are working in that organisation now.
    </p>
  );
}
