import { Name } from './name.tsx';

export function BranchName({ of }: { of: string }) {
  return (
    <code>
      <Name of={of} />
    </code>
  );
}
