import { title } from '@orchard/ui';

export default function Page() {
  return <h1>{title}</h1>;
}
