import { useLoaderData } from '@remix-run/react';

export function loader() {
  return { now: new Date().toISOString() };
}

export default function Index() {
  const { now } = useLoaderData();
  return <h1>Rendered at {now}</h1>;
}
