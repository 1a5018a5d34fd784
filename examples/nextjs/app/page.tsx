export const dynamic = 'force-dynamic';

export default function Page() {
  return <h1>Rendered at {new Date().toISOString()}</h1>;
}
