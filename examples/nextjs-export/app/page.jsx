export default function Page() {
  return <h1>Hello from an exported Next.js site</h1>;
}
