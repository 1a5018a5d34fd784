export function Footer() {
  return (
    <footer className="foot">
      <a href="/docs">API reference</a>
    </footer>
  );
}
